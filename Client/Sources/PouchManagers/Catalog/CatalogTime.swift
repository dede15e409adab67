import Foundation

/// The time of day, how to wait, and chance, as the catalogue's parts share them.
struct CatalogTime: Sendable {
    let now: @Sendable () -> Date
    let clock: any Clock<Duration>
    /// In 0..<1.
    let random: @Sendable () -> Double

    func sleep(_ seconds: TimeInterval) async throws {
        try await clock.sleep(for: .seconds(seconds))
    }
}

extension Duration {
    var seconds: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
    }
}
