/// The change of one field in a PATCH: an absent key keeps the value, null clears it, a value sets it.
///
/// `Codable` is synthesized for a type with such properties, since the containers below read and write absent keys:
///
///     struct ProfilePatch: Codable {
///         @NonNull var name: String?                          // can be set but not cleared
///         var mobileNumber: FieldChange<String> = .keep       // can be set and cleared
///     }
public enum FieldChange<Value: Sendable>: Sendable {
    case keep
    case clear
    case set(Value)

    /// The value after the change.
    public func applied(to old: Value?) -> Value? {
        switch self {
        case .keep: old
        case .clear: nil
        case .set(let value): value
        }
    }
}

extension FieldChange: Equatable where Value: Equatable {}

/// A field of a PATCH that can be set but not cleared: nil when its key is absent, an error when it is null.
@propertyWrapper
public struct NonNull<Value: Sendable>: Sendable {
    public var wrappedValue: Value?

    public init() {}

    public init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }
}

extension NonNull: Equatable where Value: Equatable {}

// MARK: - Coding
//
// Synthesis requires these conformances, but a value on its own cannot be absent: synthesized code calls the methods of
// the containers below, which are more specific than those for any `Codable` type.

extension FieldChange: Codable where Value: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.singleValueContainer().decodeNil() ? .clear : .set(Value(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        if case .set(let value) = self { return try value.encode(to: encoder) }
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
}

extension NonNull: Codable where Value: Codable {
    public init(from decoder: any Decoder) throws {
        wrappedValue = try Value(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        try wrappedValue.encode(to: encoder)
    }
}

extension KeyedDecodingContainer {
    public func decode<Value: Decodable>(
        _ type: FieldChange<Value>.Type, forKey key: Key
    ) throws -> FieldChange<Value> {
        guard contains(key) else { return .keep }
        return try decodeNil(forKey: key) ? .clear : .set(decode(Value.self, forKey: key))
    }

    public func decode<Value: Decodable>(_ type: NonNull<Value>.Type, forKey key: Key) throws -> NonNull<Value> {
        NonNull(wrappedValue: contains(key) ? try decode(Value.self, forKey: key) : nil)
    }
}

extension KeyedEncodingContainer {
    public mutating func encode<Value: Encodable>(_ change: FieldChange<Value>, forKey key: Key) throws {
        switch change {
        case .keep: break
        case .clear: try encodeNil(forKey: key)
        case .set(let value): try encode(value, forKey: key)
        }
    }

    public mutating func encode<Value: Encodable>(_ field: NonNull<Value>, forKey key: Key) throws {
        try encodeIfPresent(field.wrappedValue, forKey: key)
    }
}
