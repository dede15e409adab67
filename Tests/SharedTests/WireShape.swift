import Foundation
import PouchJSON
import Testing

/// A golden document of the contract with its value, whose type is erased.
struct WireShape: Sendable, CustomTestStringConvertible {
    let fixture: String
    let type: any Sendable.Type
    /// The paths of the optional keys.
    let optional: Set<String>
    /// Encodes the expected value.
    let written: @Sendable () throws -> JSONValue
    /// Reads bytes as the type.
    let read: @Sendable (Data) throws -> Void
    /// Whether a document is decoded as the expected value.
    let isExpected: @Sendable (JSONValue) throws -> Bool
    /// Decodes a document and encodes the result.
    let rewritten: @Sendable (JSONValue) throws -> JSONValue

    var testDescription: String { fixture }

    static func answer<Value: JSONCodable & Equatable>(_ fixture: String, _ value: Value) -> WireShape {
        WireShape(fixture, value, optional: []) { try Value(json: $0) }
    }

    static func request<Value: JSONCodable & Equatable>(
        _ fixture: String, _ value: Value, optional: Set<String> = []
    ) -> WireShape { WireShape(fixture, value, optional: optional) { try Value(json: $0, .request) } }

    private init<Value: JSONCodable & Equatable>(
        _ fixture: String, _ value: Value, optional: Set<String>, read: @escaping @Sendable (Data) throws -> Value
    ) {
        self.fixture = fixture
        type = Value.self
        self.optional = optional
        written = { try JSONValue(value.json()) }
        self.read = { _ = try read($0) }
        isExpected = { try read($0.data) == value }
        rewritten = { try JSONValue(try read($0.data).json()) }
    }

    var document: JSONValue {
        get throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
            return try JSONValue(Data(contentsOf: folder.appending(path: fixture + ".json")))
        }
    }
}

/// Any JSON, to compare documents regardless of the order of keys and of white space.
///
/// Unlike PouchContract's `JSON` it keeps every digit of a number.
enum JSONValue: Codable, Equatable {
    case null
    case bool(Bool)
    case number(Decimal)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Decimal.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    init(_ data: Data) throws { self = try JSONDecoder().decode(JSONValue.self, from: data) }

    var data: Data { get throws { try JSONEncoder().encode(self) } }

    /// The keys of an object; empty for any other value.
    var keys: [String] {
        if case .object(let members) = self { members.keys.sorted() } else { [] }
    }

    /// The paths of all objects with fixed keys; without `options`, whose keys are data of the shop.
    var objectPaths: [[String]] {
        switch self {
        case .object(let members):
            [[]]
                + members.flatMap { key, value in
                    if key == "options", case .object = value { return [[String]]() }
                    return value.objectPaths.map { [key] + $0 }
                }
        case .array(let items):
            items.enumerated().flatMap { place, item in item.objectPaths.map { [String(place)] + $0 } }
        default: []
        }
    }

    subscript(path: some Collection<String>) -> JSONValue? {
        guard let first = path.first else { return self }
        return switch self {
        case .object(let members): members[first]?[path.dropFirst()]
        case .array(let items): Int(first).flatMap { items.indices.contains($0) ? items[$0] : nil }?[path.dropFirst()]
        default: nil
        }
    }

    /// A copy with another value at the path, or without the key.
    func with(_ value: JSONValue?, at path: some Collection<String>) -> JSONValue {
        guard let first = path.first else { return value ?? .null }
        let rest = path.dropFirst()
        switch self {
        case .object(var members):
            members[first] = rest.isEmpty ? value : members[first]?.with(value, at: rest)
            return .object(members)
        case .array(var items):
            if let place = Int(first) { items[place] = items[place].with(value, at: rest) }
            return .array(items)
        default:
            return self
        }
    }
}
