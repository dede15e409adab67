import PouchEntities

/// A tax rate from 0 to 100 %, exact to 4 decimal places of a per cent, such as the 8.875 % of New York City. A literal
/// has basis points: 1900 are 19 %.
public struct TaxRate: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
    /// 190 000 are 19 %.
    public let millionths: Int64

    public init(millionths: Int64) {
        self.millionths = millionths
    }

    public init(integerLiteral basisPoints: Int64) {
        millionths = basisPoints * 100
    }

    /// Parses per cent, such as `19` or `8.875`; nil for any other text, more places or a rate above 100 %.
    public init?(percent text: String) {
        guard let millionths = Int64(decimal: text, places: 4), (0...1_000_000).contains(millionths) else { return nil }
        self.millionths = millionths
    }

    /// Per cent without zeros at the end, such as `19` or `8.875`.
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
    /// In basis points, as servers of earlier releases encode it, which compare their settings with those of this one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let (points, rest) = millionths.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { try container.encode(points) } else { try container.encode(percent) }
    }
}
