import PouchJSON

/// An enumeration of words to which later versions of the contract may add.
///
/// A client decodes a word that it does not know as `unrecognised`, so that an older client keeps working:
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
