/// A closed set of words in this version, to which later versions of the wire may add.
///
/// A word that is not known here is read as `unrecognised`, so that an older client goes on working.
public protocol OpenEnum: RawRepresentable, CaseIterable, Codable, Sendable, Hashable where RawValue == String {
    static var unrecognised: Self { get }
}

extension OpenEnum {
    public init(from decoder: any Decoder) throws {
        let word = try decoder.singleValueContainer().decode(String.self)
        self = Self(rawValue: word) ?? .unrecognised
    }
}
