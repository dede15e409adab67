/// What a PATCH says of one field: an absent key keeps it, null clears it, a value sets it.
public enum FieldChange<Value: Sendable>: Sendable {
    case keep
    case clear
    case set(Value)

    /// The field after the change.
    public func applied(to old: Value?) -> Value? {
        switch self {
        case .keep: old
        case .clear: nil
        case .set(let value): value
        }
    }
}

extension FieldChange: Equatable where Value: Equatable {}

extension KeyedDecodingContainer {
    public func decodeChange<Value: Decodable & Sendable>(
        _ type: Value.Type, forKey key: Key
    ) throws -> FieldChange<Value> {
        guard contains(key) else { return .keep }
        if try decodeNil(forKey: key) { return .clear }
        return .set(try decode(type, forKey: key))
    }
}

extension KeyedEncodingContainer {
    public mutating func encode<Value: Encodable & Sendable>(
        _ change: FieldChange<Value>, forKey key: Key
    ) throws {
        switch change {
        case .keep: break
        case .clear: try encodeNil(forKey: key)
        case .set(let value): try encode(value, forKey: key)
        }
    }
}
