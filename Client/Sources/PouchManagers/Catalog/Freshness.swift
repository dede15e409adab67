import Foundation
import PouchData

/// The age at which catalogue data is read again, and the pauses between failed attempts.
public struct Freshness: Sendable, Equatable {
    /// The age limit of seasons, themes, categories, product lists, and an imported catalogue.
    public var catalog: Duration
    public var promotions: Duration
    /// The pause after the first failure. It doubles with each further one, and is shortened at random by up to half.
    public var firstRetry: Duration
    public var longestRetry: Duration

    public init(
        catalog: Duration = .seconds(86_400),
        promotions: Duration = .seconds(7_200),
        firstRetry: Duration = .seconds(5),
        longestRetry: Duration = .seconds(300)
    ) {
        self.catalog = catalog
        self.promotions = promotions
        self.firstRetry = firstRetry
        self.longestRetry = longestRetry
    }

    /// - Parameter failures: in a row, from 1.
    func wait(after failures: Int, _ error: DataError, random: Double) -> Duration {
        let full = min(firstRetry * (1 << min(max(0, failures - 1), 16)), longestRetry)
        let wait = full * (1 - random / 2)
        if case .busy(let asked?) = error.reason { return max(wait, min(asked, longestRetry)) }
        return wait
    }
}

/// The time of day, the clock that waits, and random numbers in 0..<1, for all parts of the catalogue.
struct CatalogTime: Sendable {
    let now: @Sendable () -> Date
    let clock: any Clock<Duration>
    let random: @Sendable () -> Double
}
