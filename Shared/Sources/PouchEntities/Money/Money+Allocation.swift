extension Money {
    /// Splits the amount in proportion to the weights, by the largest remainder: each part is the exact share or less than
    /// one minor unit off, and where units are left over, they go to the parts that lost most by rounding, among equal
    /// ones to the earlier.
    ///
    /// The parts add up to the amount, also where it is negative. Where all weights are 0, the parts are as equal as they
    /// can be. A negative weight counts as 0. Without weights there are no parts. Products and sums are 128 bits wide, so
    /// that every input has a result.
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
        // The bits of -2⁶³ are those of 2⁶³, so that the least amount, too, has a part that is the whole.
        return parts.map { Money(Int64(truncatingIfNeeded: amount < 0 ? 0 &- $0 : $0), currency) }
    }

    /// The exact product with a fraction, rounded once to the minor unit; halves go away from zero. The way between is 128
    /// bits wide.
    ///
    /// - Throws: `MoneyError.overflow` when the result does not fit, which it never does for a denominator of 0 or less.
    public func share(_ numerator: Int64, of denominator: Int64) throws(MoneyError) -> Money {
        guard denominator > 0 else { throw .overflow }
        let product = Int128(amount) * Int128(numerator)
        let (quotient, remainder) = product.magnitude.quotientAndRemainder(dividingBy: UInt128(denominator))
        let rounded = Int128(remainder >= UInt128(denominator) - remainder ? quotient + 1 : quotient)
        guard let result = Int64(exactly: product < 0 ? -rounded : rounded) else { throw .overflow }
        return Money(result, currency)
    }

    /// - Throws: `MoneyError`, also for a sum that would fit after an overflow on the way.
    public static func sum(_ parts: some Sequence<Money>, in currency: Currency) throws(MoneyError) -> Money {
        var sum = zero(currency)
        for part in parts { sum = try sum.adding(part) }
        return sum
    }
}
