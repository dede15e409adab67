import PouchData

/// How old what the catalogue shows may be before it is read anew, and when a failed try is repeated.
public struct Freshness: Sendable, Equatable {
    /// Of seasons, themes, categories, lists of products, and of a catalogue that was imported.
    public var catalog: Duration
    public var promotions: Duration
    /// The wait after the first failure. It doubles with each further one, and each time a random part of up to half of
    /// it is left out.
    public var firstRetry: Duration
    /// What the wait grows to.
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

    /// - Parameters:
    ///   - failures: in a row, from 1.
    ///   - random: in 0..<1.
    func wait(after failures: Int, _ error: DataError, random: Double) -> Duration {
        let full = min(firstRetry * (1 << min(max(0, failures - 1), 16)), longestRetry)
        let wait = full * (1 - random / 2)
        if case .busy(let asked?) = error.reason { return max(wait, min(asked, longestRetry)) }
        return wait
    }
}
