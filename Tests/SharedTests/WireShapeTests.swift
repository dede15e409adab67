import Foundation
import PouchEntities
import PouchJSON
import PouchWire
import Testing

@Suite("Golden documents")
struct WireShapeTests {
    @Test(arguments: WireShape.answers + WireShape.requests)
    func `Every document is decoded as its value`(shape: WireShape) throws {
        #expect(try shape.isExpected(shape.document))
    }

    @Test(arguments: WireShape.answers + WireShape.requests)
    func `Every value is encoded as its document`(shape: WireShape) throws {
        #expect(try shape.written() == shape.document)
    }

    @Test func `Every fixture has a value`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: WireShape.folder.path())
        #expect(Set(files) == Set((WireShape.answers + WireShape.requests).map { $0.fixture + ".json" }))
    }

    /// Whether the path leads into JSON of any form, such as the values that an entry of the audit log keeps.
    private static func isFree(_ path: [String]) -> Bool { path.first.map(["before", "values"].contains) ?? false }

    @Test(arguments: WireShape.answers)
    func `Unknown keys in answers are ignored at any depth`(shape: WireShape) throws {
        let document = try shape.document
        for path in document.objectPaths where !Self.isFree(path) {
            #expect(try shape.isExpected(document.with(.array([.bool(true)]), at: path + ["later"])), "\(path)")
        }
    }

    @Test(arguments: WireShape.answers)
    func `Absent and null mean the same in answers`(shape: WireShape) throws {
        let document = try shape.document
        for path in document.objectPaths where !Self.isFree(path) {
            for key in document.keys(at: path) {
                let absent = try? shape.rewritten(document.with(nil, at: path + [key]))
                let null = try? shape.rewritten(document.with(.null, at: path + [key]))
                #expect(absent == null, "\(path) \(key)")
            }
        }
    }

    @Test(arguments: WireShape.requests)
    func `Unknown keys in requests are refused by name at any depth`(shape: WireShape) throws {
        let document = try shape.document
        for path in document.objectPaths {
            let changed = document.with(.integer(1), at: path + ["later"])
            let failure = #expect(throws: JSONError.self) { try shape.rewritten(changed) }
            #expect(failure?.code == .unknownField)
            #expect(failure?.fields == [(path + ["later"]).joined(separator: ".")])
        }
    }

    @Test(arguments: WireShape.requests)
    func `A required field is named if it is absent or null`(shape: WireShape) throws {
        let document = try shape.document
        for path in document.objectPaths {
            for key in document.keys(at: path) {
                let field = (path + [key]).joined(separator: ".")
                let absent = document.with(nil, at: path + [key])
                // Countries differ in which of these an address has.
                let inAddress = path.last == "address" && ["city", "location", "postalCode"].contains(key)
                if shape.optional.contains(field) || inAddress {
                    #expect(throws: Never.self) { try shape.rewritten(absent) }
                    continue
                }
                for changed in [absent, document.with(.null, at: path + [key])] {
                    let failure = #expect(throws: JSONError.self, "\(field)") { try shape.rewritten(changed) }
                    #expect(failure?.code == .validationFailed)
                    #expect(failure?.codes == ["required"], "\(field)")
                    #expect(failure?.fields == [field])
                }
            }
        }
    }

    @Test(arguments: WireShape.requests)
    func `A value of the wrong type is named`(shape: WireShape) throws {
        let document = try shape.document
        for path in document.objectPaths {
            for key in document.keys(at: path) where document.at(path + [key]) != .null {
                let isFlag = if case .bool = document.at(path + [key]) { true } else { false }
                let changed = document.with(isFlag ? .integer(1) : .bool(true), at: path + [key])
                let field = (path + [key]).joined(separator: ".")
                let failure = #expect(throws: JSONError.self, "\(field)") { try shape.rewritten(changed) }
                #expect(failure?.code == .validationFailed && failure?.fields == [field])
                #expect(failure?.codes == ["wrong_type"], "\(field)")
            }
        }
    }

    @Test func `Unknown words are decoded as unrecognised`() throws {
        let word = Data(#"["teleported"]"#.utf8)
        #expect(try [OrderStatus](json: word) == [.unrecognised])
        #expect(try [Payment.Status](json: word) == [.unrecognised])
        #expect(try [RideStatus](json: word) == [.unrecognised])
        #expect(try [DeliveryFailure.Reason](json: word) == [.unrecognised])
        #expect(try [SessionKind](json: word) == [.unrecognised])
        #expect(try [CartChange.Reason](json: word) == [.unrecognised])
        #expect(try [Availability.Status](json: word) == [.unrecognised])
        #expect(try [ProblemCode](json: word) == [ProblemCode(rawValue: "teleported")])
    }

    @Test func `Equal values have equal bytes, with sorted keys and plain slashes`() throws {
        let options = ["b": "/", "a": "1", "c": "é"]
        #expect(try options.json() == Data(#"{"a":"1","b":"/","c":"é"}"#.utf8))
    }

    @Test func `Descriptions of a session omit its tokens`() {
        let session = RemoteSession(
            accessToken: "hidden-a", accessTokenExpiresAt: .distantPast, refreshToken: "hidden-r",
            refreshTokenExpiresAt: .distantFuture)
        var dumped = "\(session)" + String(reflecting: session)
        dump(session, to: &dumped)
        #expect(!dumped.contains("hidden"))
    }
}

extension JSONError {
    var fields: [String] { fieldProblems.map(\.field) }
    var codes: [String] { fieldProblems.map(\.code) }
}

/// A golden document of the contract with its value, whose type is erased.
struct WireShape: Sendable, CustomTestStringConvertible {
    let fixture: String
    let type: any Sendable.Type
    /// The paths of the optional keys.
    let optional: Set<String>
    /// Encodes the expected value.
    let written: @Sendable () throws -> JSON
    /// Reads bytes as the type.
    let read: @Sendable (Data) throws -> Void
    /// Whether a document is decoded as the expected value.
    let isExpected: @Sendable (JSON) throws -> Bool
    /// Decodes a document and encodes the result.
    let rewritten: @Sendable (JSON) throws -> JSON

    var testDescription: String { fixture }

    fileprivate init<Value: JSONCodable & Equatable>(
        _ fixture: String, _ value: Value, optional: Set<String>, read: @escaping @Sendable (Data) throws -> Value
    ) {
        self.fixture = fixture
        type = Value.self
        self.optional = optional
        written = { try JSON(json: value.json()) }
        self.read = { _ = try read($0) }
        isExpected = { try read($0.json()) == value }
        rewritten = { try JSON(json: read($0.json()).json()) }
    }

    fileprivate static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    var document: JSON {
        get throws { try JSON(json: Data(contentsOf: Self.folder.appending(path: fixture + ".json"))) }
    }
}

extension JSONCodable where Self: Equatable {
    /// The golden document of an answer.
    func asAnswer(_ fixture: String) -> WireShape { WireShape(fixture, self, optional: []) { try Self(json: $0) } }

    /// The golden document of a request, which may do without the optional keys.
    func asRequest(_ fixture: String, optional: String...) -> WireShape {
        WireShape(fixture, self, optional: Set(optional)) { try Self(json: $0, .request) }
    }
}

extension JSON {
    /// The keys of the object at the path.
    fileprivate func keys(at path: [String]) -> [String] { at(path)?.object?.keys.sorted() ?? [] }

    /// The paths of all objects with fixed keys; without `options`, whose keys are data of the shop.
    fileprivate var objectPaths: [[String]] {
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

    fileprivate func at(_ path: some Collection<String>) -> JSON? {
        guard let first = path.first else { return self }
        let member = self[first] ?? Int(first).flatMap { array?.indices.contains($0) == true ? array?[$0] : nil }
        return member?.at(path.dropFirst())
    }

    /// A copy with another value at the path, or without the key.
    func with(_ value: JSON?, at path: some Collection<String>) -> JSON {
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
