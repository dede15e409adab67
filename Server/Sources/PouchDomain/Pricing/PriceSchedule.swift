import Foundation
import PouchEntities

extension ScheduledPrice {
    fileprivate func holds(at now: Date) -> Bool { startsAt <= now && now < endsAt }
}

/// The prices of one SKU over time. They begin and end by the clock alone.
public struct PriceSchedule: Sendable, Equatable {
    private let base: Money
    private let entries: [ScheduledPrice]

    /// - Parameter entries: in any order; they may overlap.
    public init(base: Money, entries: [ScheduledPrice]) {
        self.base = base
        self.entries = entries
    }

    /// The price that holds: of those that hold together, the one that began last; of several that began together, the one
    /// with the greatest id, which was made last.
    public func price(at now: Date) -> Money {
        entries.lazy.filter { $0.holds(at: now) }.max { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }?.price ?? base
    }

    /// When the next entry begins or ends after `now`; nil when none does any more. Until then the price stays.
    public func nextBoundary(after now: Date) -> Date? {
        entries.lazy.filter { $0.startsAt < $0.endsAt }.flatMap { [$0.startsAt, $0.endsAt] }.filter { $0 > now }.min()
    }
}
