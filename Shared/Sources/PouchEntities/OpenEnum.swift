import PouchJSON

/// An enumeration of words that later versions of the contract may extend.
///
/// A client decodes an unknown word as `unrecognised`, so that an older client keeps working:
///
///     enum OrderStatus: String, OpenEnum {
///         case pending, paid, unrecognised
///     }
public protocol OpenEnum: RawRepresentable, CaseIterable, Codable, JSONCodable, Hashable where RawValue == String {
    static var unrecognised: Self { get }
}

extension OpenEnum {
    public init(reading json: inout JSONReader) throws(JSONError) {
        self = Self(rawValue: try json.text()) ?? .unrecognised
    }

    public init(from decoder: any Decoder) throws {
        let word = try decoder.singleValueContainer().decode(String.self)
        self = Self(rawValue: word) ?? .unrecognised
    }
}
