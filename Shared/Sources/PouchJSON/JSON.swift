/// A JSON value.
public enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// A member of an object. Setting nil removes the member.
    public subscript(_ key: String) -> JSON? {
        get {
            guard case .object(let members) = self else { return nil }
            return members[key]
        }
        set {
            guard case .object(var members) = self else { return }
            members[key] = newValue
            self = .object(members)
        }
    }

    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    public var array: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    public var object: [String: JSON]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// The union of both objects; the other object's members win.
    public func merging(_ other: [String: JSON]) -> JSON {
        .object((object ?? [:]).merging(other) { _, new in new })
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}

// MARK: - Coding

extension JSON: JSONCodable {
    public init(reading json: inout JSONReader) throws(JSONError) {
        switch json.next() {
        case UInt8(ascii: "{"): self = .object(try [String: JSON](reading: &json))
        case UInt8(ascii: "["): self = .array(try [JSON](reading: &json))
        case UInt8(ascii: "\""): self = .string(try json.text())
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool(try json.bool())
        case UInt8(ascii: "n"):
            _ = try json.null()
            self = .null
        default:
            guard let text = try json.numberText() else { throw .malformed }
            if let integer = Int64(text) {
                self = .integer(integer)
            } else if let number = Double(text), number.isFinite {
                self = .number(number)
            } else {
                throw .here(.wrongType(expected: "a number"))
            }
        }
    }

    public func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .bool(let value): json.bool(value)
        case .integer(let value): json.integer(value)
        case .number(let value): json.number(value)
        case .string(let value): json.text(value)
        case .array(let elements): json.list(elements)
        case .object(let members): members.write(to: &json)
        }
    }

    public static var jsonShape: JSONShape { .any }
}

/// The conformance for coders outside this module.
extension JSON: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
