import PouchEntities

/// A tax rate from 0 to 100 %, exact to 4 decimal places, such as New York City's 8.875 %. A literal is in basis
/// points: 1900 is 19 %.
public struct TaxRate: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
    /// The rate in millionths: 190 000 is 19 %.
    public let millionths: Int64

    public init(millionths: Int64) {
        self.millionths = millionths
    }

    public init(integerLiteral basisPoints: Int64) {
        millionths = basisPoints * 100
    }

    /// Parses a percentage such as `19` or `8.875`; nil for any other text, more decimal places or a rate above 100 %.
    public init?(percent text: String) {
        guard let millionths = Int64(decimal: text, places: 4), (0...1_000_000).contains(millionths) else { return nil }
        self.millionths = millionths
    }

    /// The percentage without trailing zeros, such as `19` or `8.875`.
    public var percent: String {
        let (whole, rest) = millionths.quotientAndRemainder(dividingBy: 10_000)
        guard rest > 0 else { return String(whole) }
        var places = String(10_000 + rest).dropFirst()
        while places.last == "0" { places.removeLast() }
        return "\(whole).\(places)"
    }

    public static func < (one: TaxRate, other: TaxRate) -> Bool { one.millionths < other.millionths }
}

extension TaxRate: Encodable {
    /// Encodes basis points, like servers of earlier releases, which compare their settings with those of this one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let (points, rest) = millionths.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { try container.encode(points) } else { try container.encode(percent) }
    }
}
