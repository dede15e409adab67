extension Money {
    /// Reads a decimal amount in major units, as in `42.99` or `85`; exact, without floating point.
    ///
    /// - Returns: nil when the text is not a plain decimal number, has more places than the currency, or does not fit.
    public init?(decimal text: String, currency: Currency) {
        guard let amount = Int64(decimal: text, places: currency.exponent) else { return nil }
        self.init(amount, currency)
    }

    /// The amount in major units with all places of the currency, as in `129.00`; for files and people, not for sums.
    public var decimal: String {
        let digits = String(amount.magnitude)
        let padded = String(repeating: "0", count: max(0, currency.exponent + 1 - digits.count)) + digits
        let sign = amount < 0 ? "-" : ""
        guard currency.exponent > 0 else { return sign + padded }
        return sign + padded.dropLast(currency.exponent) + "." + padded.suffix(currency.exponent)
    }
}
