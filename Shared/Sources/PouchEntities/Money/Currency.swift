/// A currency of ISO 4217 with the number of decimal places of its minor unit.
public struct Currency: Hashable, Sendable {
    /// Three capital letters, as in `EUR`.
    public let code: String
    /// How many decimal places the minor unit has: 0 for JPY, 2 for EUR, 3 for JOD.
    public let exponent: Int

    /// - Returns: nil for a code that is not in the table of ISO 4217.
    public init?(code: String) {
        guard let exponent = Self.exponents[code] else { return nil }
        self.init(code: code, exponent: exponent)
    }

    private init(code: String, exponent: Int) {
        self.code = code
        self.exponent = exponent
    }

    public static let eur = Currency(code: "EUR", exponent: 2)
}

extension Currency: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let currency = Currency(code: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a code of ISO 4217")
        }
        self = currency
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(code)
    }
}
