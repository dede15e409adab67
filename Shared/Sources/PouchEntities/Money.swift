import PouchJSON

/// An amount in the minor units of its currency: 12900 EUR is 129.00 euros.
///
/// Arithmetic never rounds and never wraps: an overflow or a second currency throws `MoneyError`.
///
///     let price = Money(12_900, .eur)
///     let sum = try price.multiplied(by: 2).subtracting(Money(500, .eur))    // 253.00 EUR
public struct Money: JSONModel, Codable, Hashable {
    public let amount: Int64
    public let currency: Currency

    public init(_ amount: Int64, _ currency: Currency) {
        self.amount = amount
        self.currency = currency
    }

    public static func zero(_ currency: Currency) -> Money { Money(0, currency) }

    public func adding(_ other: Money) throws(MoneyError) -> Money {
        try combined(with: other) { $0.addingReportingOverflow($1) }
    }

    public func subtracting(_ other: Money) throws(MoneyError) -> Money {
        try combined(with: other) { $0.subtractingReportingOverflow($1) }
    }

    public func multiplied(by count: Int) throws(MoneyError) -> Money {
        let (product, overflow) = amount.multipliedReportingOverflow(by: Int64(count))
        guard !overflow else { throw .overflow }
        return Money(product, currency)
    }

    private func combined(
        with other: Money, _ operation: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
    ) throws(MoneyError) -> Money {
        guard currency == other.currency else { throw .currencyMismatch }
        let (result, overflow) = operation(amount, other.amount)
        guard !overflow else { throw .overflow }
        return Money(result, currency)
    }

    public static let json = JSONObject(Money.init(_:_:), .field("amount", \.amount), .field("currency", \.currency))
}

/// The reason why a calculation has no result.
public enum MoneyError: Error, Equatable {
    /// The result does not fit into 64 bits.
    case overflow
    /// Two currencies cannot be added.
    case currencyMismatch
}

extension Money {
    /// Splits the amount in proportion to the weights by the largest remainder method: every share is rounded down, and
    /// the remaining minor units go to the parts that lost most by rounding, and among equal parts to the earlier ones.
    ///
    /// The parts always add up to the amount, even if it is negative. If all weights are 0, the parts are as equal as
    /// possible. A negative weight counts as 0. Without weights there are no parts. Intermediate results have 128 bits,
    /// so that every input has a result.
    public func allocated(by weights: [Int64]) -> [Money] {
        let positive = weights.map { UInt128(max($0, 0)) }
        let whole = positive.reduce(0, +)
        let shares = whole == 0 ? positive.map { _ in 1 } : positive
        let divisor = whole == 0 ? UInt128(weights.count) : whole
        var left = amount.magnitude
        var parts: [UInt64] = []
        var remainders: [(index: Int, remainder: UInt128)] = []
        parts.reserveCapacity(weights.count)
        for (index, share) in shares.enumerated() {
            let (part, remainder) = (UInt128(amount.magnitude) * share).quotientAndRemainder(dividingBy: divisor)
            parts.append(UInt64(part))
            left -= UInt64(part)
            if remainder > 0 { remainders.append((index, remainder)) }
        }
        if left > 0 {
            remainders.sort { $0.remainder == $1.remainder ? $0.index < $1.index : $0.remainder > $1.remainder }
            for (index, _) in remainders.prefix(Int(left)) { parts[index] += 1 }
        }
        // -2⁶³ has the bit pattern of 2⁶³, so that even the minimum amount can be a single part.
        return parts.map { Money(Int64(truncatingIfNeeded: amount < 0 ? 0 &- $0 : $0), currency) }
    }

    /// The amount times a fraction, rounded once to the minor unit, with halves rounded away from zero. Intermediate
    /// results have 128 bits.
    ///
    /// - Throws: `MoneyError.overflow` if the result does not fit or the denominator is not positive.
    public func share(_ numerator: Int64, of denominator: Int64) throws(MoneyError) -> Money {
        guard denominator > 0 else { throw .overflow }
        let product = Int128(amount) * Int128(numerator)
        let (quotient, remainder) = product.magnitude.quotientAndRemainder(dividingBy: UInt128(denominator))
        let rounded = Int128(remainder >= UInt128(denominator) - remainder ? quotient + 1 : quotient)
        guard let result = Int64(exactly: product < 0 ? -rounded : rounded) else { throw .overflow }
        return Money(result, currency)
    }

    /// - Throws: `MoneyError`, even if only an intermediate sum overflows.
    public static func sum(_ parts: some Sequence<Money>, in currency: Currency) throws(MoneyError) -> Money {
        var sum = zero(currency)
        for part in parts { sum = try sum.adding(part) }
        return sum
    }

    /// Parses an amount in major units, such as `42.99` or `85`, exactly and without floating point.
    ///
    /// - Returns: nil if the text is not a plain decimal number, has more decimal places than the currency, or does not
    ///   fit.
    public init?(decimal text: String, currency: Currency) {
        guard let amount = Int64(decimal: text, places: currency.exponent) else { return nil }
        self.init(amount, currency)
    }

    /// The amount in major units with all decimal places of the currency, such as `129.00`; for files and display, not
    /// for calculations.
    public var decimal: String {
        let digits = String(amount.magnitude)
        let padded = String(repeating: "0", count: max(0, currency.exponent + 1 - digits.count)) + digits
        let sign = amount < 0 ? "-" : ""
        guard currency.exponent > 0 else { return sign + padded }
        return sign + padded.dropLast(currency.exponent) + "." + padded.suffix(currency.exponent)
    }

    /// The `decimal` and the currency's code, such as `129.00 EUR`.
    public var text: String { "\(decimal) \(currency.code)" }
}

extension Int64 {
    /// Parses a plain decimal number, such as `42.99` or `85`, to units of its last decimal place, exactly and without
    /// floating point.
    ///
    /// - Returns: nil if the text is not a plain decimal number, has more decimal places, or does not fit.
    public init?(decimal text: String, places: Int) {
        var digits = Substring(text)
        let negative = digits.first == "-"
        if negative { digits.removeFirst() }
        let halves = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let whole = halves[0]
        var fraction = halves.count > 1 ? String(halves[1]) : ""
        guard !whole.isEmpty, halves.count == 1 || !fraction.isEmpty,
            (whole + fraction).utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        while fraction.count > places, fraction.hasSuffix("0") { fraction.removeLast() }
        guard fraction.count <= places else { return nil }
        fraction += String(repeating: "0", count: places - fraction.count)
        self.init((negative ? "-" : "") + whole + fraction)
    }
}
