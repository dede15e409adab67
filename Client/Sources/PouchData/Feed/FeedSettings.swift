import Foundation
import PouchEntities

/// What a feed does not say of its shop.
public struct FeedSettings: Sendable, Equatable {
    /// A row in another currency is left out and reported.
    public var currency: Currency
    /// In which dates are that name no offset from UTC.
    public var timeZone: TimeZone
    /// The units of a variant for which the feed names none.
    public var defaultStock: Int

    public init(currency: Currency = .eur, timeZone: TimeZone = .gmt, defaultStock: Int = 0) {
        self.currency = currency
        self.timeZone = timeZone
        self.defaultStock = defaultStock
    }
}
