import Foundation
import PouchWire
import Testing

/// A document of the contract with the value that it stands for, whatever that value's type.
struct WireShape: Sendable, CustomTestStringConvertible {
    let fixture: String
    let type: any Sendable.Type
    /// The paths of the keys that need not be there.
    let optional: Set<String>
    /// What the expected value is written as.
    let written: @Sendable () throws -> JSONValue
    /// Whether the document is read as the expected value.
    let isExpected: @Sendable (JSONValue) throws -> Bool
    /// What the value that is read from the document is written as.
    let rewritten: @Sendable (JSONValue) throws -> JSONValue

    var testDescription: String { fixture }

    static func answer<Value: Codable & Equatable & Sendable>(_ fixture: String, _ value: Value) -> WireShape {
        WireShape(fixture, value, optional: []) { try WireJSON.decode(Value.self, from: $0) }
    }

    static func request<Value: Codable & Equatable & Sendable>(
        _ fixture: String, _ value: Value, optional: Set<String> = []
    ) -> WireShape {
        WireShape(fixture, value, optional: optional) { try StrictJSON.decode(Value.self, from: $0) }
    }

    private init<Value: Codable & Equatable & Sendable>(
        _ fixture: String, _ value: Value, optional: Set<String>, read: @escaping @Sendable (Data) throws -> Value
    ) {
        self.fixture = fixture
        type = Value.self
        self.optional = optional
        written = { try JSONValue(WireJSON.encode(value)) }
        isExpected = { try read($0.data) == value }
        rewritten = { try JSONValue(WireJSON.encode(try read($0.data))) }
    }

    var document: JSONValue {
        get throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
            return try JSONValue(Data(contentsOf: folder.appending(path: fixture + ".json")))
        }
    }
}
