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
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path())
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
            for key in document[path]?.keys ?? [] {
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
            let changed = document.with(.number(1), at: path + ["later"])
            let failure = #expect(throws: JSONError.self) { try shape.rewritten(changed) }
            #expect(failure?.code == .unknownField)
            #expect(failure?.fields == [(path + ["later"]).joined(separator: ".")])
        }
    }

    @Test(arguments: WireShape.requests)
    func `A required field is named if it is absent or null`(shape: WireShape) throws {
        let document = try shape.document
        for path in document.objectPaths {
            for key in document[path]?.keys ?? [] {
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
            for key in document[path]?.keys ?? [] where document[path + [key]] != .null {
                let isFlag = if case .bool = document[path + [key]] { true } else { false }
                let changed = document.with(isFlag ? .number(1) : .bool(true), at: path + [key])
                let field = (path + [key]).joined(separator: ".")
                let failure = #expect(throws: JSONError.self, "\(field)") { try shape.rewritten(changed) }
                #expect(failure?.code == .validationFailed)
                #expect(failure?.fields == [field])
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
