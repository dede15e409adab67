import PouchJSON

/// The change of one field in a PATCH: an absent key keeps the value, null clears it, a value sets it.
///
///     struct ProfilePatch: JSONModel {
///         let name: String?                          // can be set but not cleared
///         let mobileNumber: FieldChange<String>      // can be set and cleared
///
///         static let json = JSONObject(
///             ProfilePatch.init, .nonNull("name", \.name), .field("mobileNumber", \.mobileNumber))
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

extension FieldChange: JSONCodable where Value: JSONCodable {
    public init(reading json: inout JSONReader) throws(JSONError) {
        self = try json.null() ? .clear : .set(try Value(reading: &json))
    }

    public func write(to json: inout JSONWriter) {
        if case .set(let value) = self { value.write(to: &json) } else { json.null() }
    }

    public static var jsonShape: JSONShape { .nullable(Value.jsonShape) }
    public static var absent: Self? { .keep }

    public var isAbsent: Bool {
        if case .keep = self { true } else { false }
    }
}
