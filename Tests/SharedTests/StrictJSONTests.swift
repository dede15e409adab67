import Foundation
import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("Strict reading of requests")
struct StrictJSONTests {
    private struct Figures: Decodable, Equatable {
        let figure: Int64
        let small: Int8?
        let list: [Int]?
        let table: [String: Int]?
        let time: Date?
        let nested: [[Point]]?
    }

    private struct Point: Decodable, Equatable {
        let x: Double
    }

    private func read(_ text: String) throws(StrictJSON.Failure) -> Figures {
        try StrictJSON.decode(Figures.self, from: Data(text.utf8))
    }

    private func failure(_ text: String) -> StrictJSON.Failure? {
        do {
            _ = try read(text)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "What is not JSON is malformed",
        arguments: [
            "", " ", "{", #"{"figure":1"#, #"{"figure":1}}"#, #"{"figure":1} x"#, #"{"figure":01}"#, "{'figure':1}",
            "nul", #"{"figure":NaN}"#, #"{figure:1}"#, #"{"figure":1,}"#, #"{"figure":1,"list":[1 , ]}"#,
        ])
    func malformed(text: String) {
        #expect(failure(text) == .malformed)
    }

    @Test(
        "Bytes that are not UTF-8 are malformed",
        arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]])
    func notUTF8(text: [UInt8]) {
        let body = Data(#"{"code":"#.utf8) + text + Data("}".utf8)
        #expect(throws: StrictJSON.Failure.malformed) { try StrictJSON.decode(DiscountRequest.self, from: body) }
    }

    @Test(
        "Whole numbers are exact to the bounds of 64 bits",
        arguments: [
            ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
            ("9007199254740993", 9_007_199_254_740_993), ("-0", 0),
        ])
    func integers(text: String, value: Int64) throws {
        #expect(try read(#"{"figure":\#(text)}"#).figure == value)
    }

    @Test(
        "What is no whole number, or too large for its field, is refused",
        arguments: [
            "1.5", "9223372036854775808", "-9223372036854775809", "1e30", "1e-3", #""1""#, "true", "[1]", "{}",
        ])
    func notIntegers(text: String) {
        let failure = failure(#"{"figure":\#(text)}"#)
        #expect(failure?.code == .validationFailed)
        #expect(failure?.fields == ["figure"])
    }

    @Test("Bounds are those of the field's own type")
    func smallIntegers() throws {
        #expect(try read(#"{"figure":1,"small":127}"#).small == 127)
        #expect(failure(#"{"figure":1,"small":128}"#)?.fields == ["small"])
    }

    @Test("A document that is no object is told as such", arguments: ["null", "[]", "1", #""text""#])
    func wrongTop(text: String) {
        #expect(failure(text)?.code == .validationFailed)
        #expect(failure(text)?.fields == ["body"])
    }

    @Test("Unknown keys are all named, in lists and tables too")
    func unknown() {
        let failure = failure(#"{"figure":1,"z":1,"nested":[[{"x":1}],[{"x":1},{"x":2,"y":3}]],"a":{"b":1}}"#)
        #expect(failure?.code == .unknownField)
        #expect(failure?.fields == ["a", "nested.1.1.y", "z"])
    }

    @Test("The keys of a table are data")
    func tables() throws {
        #expect(try read(#"{"figure":1,"table":{"any":1,"thing":2}}"#).table == ["any": 1, "thing": 2])
    }

    @Test("A wrong value in a list is named by its place")
    func places() {
        #expect(failure(#"{"figure":1,"list":[1,2,"3"]}"#)?.fields == ["list.2"])
        #expect(failure(#"{"figure":1,"list":[1,2.5]}"#)?.fields == ["list.1"])
        #expect(failure(#"{"figure":1,"table":{"a":9223372036854775808}}"#)?.fields == ["table.a"])
        #expect(failure(#"{"figure":1,"list":[01]}"#) == .malformed)
        #expect(failure(#"{"figure":1,"nested":[[{"x":"1"}]]}"#)?.fields == ["nested.0.0.x"])
    }

    @Test("A time that is none is named")
    func times() throws {
        #expect(failure(#"{"figure":1,"time":"yesterday"}"#)?.fields == ["time"])
        #expect(try read(#"{"figure":1,"time":"1970-01-01T00:00:01Z"}"#).time == Date(timeIntervalSince1970: 1))
    }

    @Test("32 levels are read, 33 are too deep")
    func depth() {
        func nested(_ levels: Int) -> String {
            #"{"figure":1,"list":"# + String(repeating: "[", count: levels - 1)
                + String(repeating: "]", count: levels - 1) + "}"
        }
        #expect(failure(nested(32))?.fields == ["list.0"])
        #expect(failure(nested(33)) == .tooDeep)
        #expect(failure(nested(33))?.code == .jsonTooDeep)
    }

    @Test("Thousands of brackets are too deep, closed or not, and brackets in strings do not count")
    func hostileDepth() throws {
        #expect(failure(String(repeating: "[", count: 5000)) == .tooDeep)
        #expect(failure(String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)) == .tooDeep)
        #expect(failure(String(repeating: #"{"a":"#, count: 5000)) == .tooDeep)
        let code = String(repeating: #"[{\""#, count: 100)
        let body = Data(#"{"code":"\#(code)"}"#.utf8)
        #expect(try StrictJSON.decode(DiscountRequest.self, from: body).code.count == 300)
    }

    @Test("No message names a type of the program")
    func messages() {
        for text in [#"{"figure":{}}"#, #"{"figure":1,"nested":1}"#, #"{"figure":1,"time":1}"#, "[]", "{}"] {
            for problem in failure(text)?.problems ?? [] {
                #expect(!problem.detail.contains("Int"), "\(problem)")
                #expect(!problem.detail.contains("Figures"), "\(problem)")
                #expect(!problem.detail.contains("Swift"), "\(problem)")
            }
        }
        #expect(failure(#"{"figure":1.5}"#)?.problems.first?.detail == "figure must be a whole number.")
        #expect(failure(#"{"figure":"x"}"#)?.problems.first?.detail == "figure must be a whole number.")
        #expect(failure(#"{"figure":1,"list":1}"#)?.problems.first?.detail == "list must be a list.")
    }

    @Test("Of a key that stands twice one value is taken, and it is no unknown key")
    func duplicates() throws {
        let figure = try read(#"{"figure":1,"figure":2}"#).figure
        #expect([1, 2].contains(figure))
    }
}
