import PouchEntities

/// Parses the numbers of a feed's row, with the same limits and errors for all formats.
public struct FeedNumbers {
    public static let counts = ModelLimits.stock

    public let line: Int
    public let currency: Currency
    /// The decimal sign if a number alone does not show it.
    public let decimalSign: Character

    public init(line: Int, currency: Currency, decimalSign: Character = ".") {
        self.line = line
        self.currency = currency
        self.decimalSign = decimalSign
    }

    /// - Parameter text: an amount in major units, such as `42.99`.
    public func price(_ text: String, field: String) throws(FeedRowError) -> Money {
        guard let plain = plain(text), let money = Money(decimal: plain, currency: currency) else {
            throw failure(.invalid, field, "“\(text.prefix(40))” is not an amount in \(currency.code)")
        }
        guard ModelLimits.price.contains(money.amount) else {
            throw failure(.outOfRange, field, "\(text) is negative or too large")
        }
        return money
    }

    /// - Returns: nil if the amount is not higher than `price`, with a note unless it is zero.
    public func compareAtPrice(
        _ text: String, price: Money, field: String
    ) throws(FeedRowError) -> (price: Money?, note: FeedRowError?) {
        let before = try self.price(text, field: field)
        guard before.amount <= price.amount else { return (before, nil) }
        let detail = "\(text.prefix(40)) is not higher than the price, so it was left out"
        return (nil, before.amount == 0 ? nil : note(field, detail))
    }

    public func count(_ value: Int, field: String) throws(FeedRowError) -> Int {
        guard Self.counts.contains(value) else {
            throw failure(.outOfRange, field, "\(value) is negative or too large")
        }
        return value
    }

    /// - Parameter text: a whole number; a fraction of zeros is allowed, such as `200.0`.
    /// - Returns: 0 for a negative number, with a note: a shop has sold more than it had.
    public func stock(_ text: String, field: String) throws(FeedRowError) -> (units: Int, note: FeedRowError?) {
        guard let units = plain(text).flatMap({ Int64(decimal: $0, places: 0) }) else {
            throw failure(.invalid, field, "“\(text.prefix(40))” is not a whole number")
        }
        guard units < 0 else { return (try count(Int(units), field: field), nil) }
        return (0, note(field, "the stock \(text.prefix(40)) is negative and was imported as 0"))
    }

    /// Parses grams, rounded to whole ones; nil for no weight.
    public func weight(_ text: String, field: String) throws(FeedRowError) -> Int? {
        guard let grams = plain(text).flatMap(Double.init) else {
            throw failure(.invalid, field, "“\(text.prefix(40))” is not a number")
        }
        guard grams >= 0, grams <= Double(ModelLimits.weight.upperBound) else {
            throw failure(.outOfRange, field, "\(text.prefix(40)) is negative or too large")
        }
        // Less than half a gram is still a weight.
        return grams == 0 ? nil : max(1, Int(grams.rounded()))
    }

    public func weight(_ grams: Int, field: String) throws(FeedRowError) -> Int? {
        guard ModelLimits.weight.contains(grams) else {
            throw failure(.outOfRange, field, "\(grams) is negative or too large")
        }
        return grams == 0 ? nil : grams
    }

    private func plain(_ text: String) -> String? { FeedDecimal(text)?.plain(decimalSign: decimalSign) }

    private func failure(_ code: FeedRowError.Code, _ field: String, _ detail: String) -> FeedRowError {
        FeedRowError(line: line, field: field, code: code, detail: detail)
    }

    private func note(_ field: String, _ detail: String) -> FeedRowError {
        FeedRowError(line: line, field: field, code: .changed, detail: detail, severity: .note)
    }
}

/// A number whose decimals follow a point or a comma, and whose thousands may be separated by the other one.
public struct FeedDecimal {
    private let sign: String
    /// The digits between the separators, at least one group.
    private let groups: [Substring]
    private let separators: [Character]

    /// - Returns: nil if the text is not a number.
    public init?(_ text: String) {
        var rest = Substring(text)
        let isSigned = rest.first.map { "-+\u{2212}".contains($0) } ?? false
        sign = isSigned && rest.first != "+" ? "-" : ""
        if isSigned { rest.removeFirst() }
        groups = rest.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        separators = rest.filter { $0 == "." || $0 == "," }
        guard groups.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), groups.last?.isEmpty == false,
            groups.count < 3 || zip(separators, separators.dropFirst(1).dropLast()).allSatisfy({ $0 == $1 })
        else { return nil }
    }

    /// The decimal sign, if the number shows it.
    public enum Sign: Equatable {
        /// Whole, and without separators.
        case whole
        case known(Character)
        /// One separator followed by three digits, which may separate thousands.
        case unclear(Character)
    }

    public var decimalSign: Sign {
        guard let last = separators.last else { return .whole }
        let other: Character = last == "." ? "," : "."
        if separators.contains(other) { return .known(last) }
        if separators.count > 1 { return .known(other) }
        return groups[groups.count - 1].count == 3 ? .unclear(last) : .known(last)
    }

    /// The number with a decimal point and without other separators.
    ///
    /// - Parameter fallback: the sign if the number does not show it.
    /// - Returns: nil if its thousands are not groups of three digits.
    public func plain(decimalSign fallback: Character) -> String? {
        let decimal: Character =
            switch decimalSign {
            case .whole, .unclear: fallback
            case .known(let sign): sign
            }
        let hasDecimals = separators.last == decimal
        let whole = hasDecimals ? groups.dropLast() : groups[...]
        let isGrouped = whole.count == 1 || (1...3).contains(whole.first?.count ?? 0)
        guard isGrouped, whole.dropFirst().allSatisfy({ $0.count == 3 }) else { return nil }
        let digits = whole.joined()
        let decimals = hasDecimals ? ".\(groups[groups.count - 1])" : ""
        return sign + (digits.isEmpty ? "0" : digits) + decimals
    }
}
