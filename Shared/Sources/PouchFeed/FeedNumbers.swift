import PouchEntities

/// Parses the numbers of a feed's row, with the same bounds and errors for all formats.
public struct FeedNumbers {
    public static let counts = 0...1_000_000_000

    public let line: Int
    public let currency: Currency

    public init(line: Int, currency: Currency) {
        self.line = line
        self.currency = currency
    }

    /// - Parameter text: major units, such as `42.99`.
    public func price(_ text: String, field: String) throws(FeedRowError) -> Money {
        guard let money = Money(decimal: text, currency: currency) else {
            throw failure(.invalid, field, "“\(text.prefix(40))” is not an amount in \(currency.code)")
        }
        guard ModelLimits.price.contains(money.amount) else {
            throw failure(.outOfRange, field, "\(text) is negative or too large")
        }
        return money
    }

    /// - Returns: nil if the amount is not higher than `price`.
    public func compareAtPrice(_ text: String, price: Money, field: String) throws(FeedRowError) -> Money? {
        let before = try self.price(text, field: field)
        return before.amount > price.amount ? before : nil
    }

    public func count(_ value: Int, field: String) throws(FeedRowError) -> Int {
        guard Self.counts.contains(value) else {
            throw failure(.outOfRange, field, "\(value) is negative or too large")
        }
        return value
    }

    /// - Parameter text: a whole number; a fraction of zeros is allowed, such as `200.0`.
    public func count(_ text: String, field: String) throws(FeedRowError) -> Int {
        let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let value = halves.first.flatMap({ Int($0) }),
            halves.dropFirst().allSatisfy({ $0.allSatisfy { $0 == "0" } })
        else { throw failure(.invalid, field, "“\(text.prefix(40))” is not a whole number") }
        return try count(value, field: field)
    }

    private func failure(_ code: FeedRowError.Code, _ field: String, _ detail: String) -> FeedRowError {
        FeedRowError(line: line, field: field, code: code, detail: detail)
    }
}
