import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchWire
import SeededRandom
import Testing

@Suite("Strict reading of requests")
struct RequestJSONTests {
    private struct Figures: JSONModel {
        let figure: Int64
        let small: Int32?
        let list: [Int]?
        let table: [String: Int]?
        let time: Date?
        let nested: [[Point]]?

        static let json = JSONObject(
            Figures.init, .field("figure", \.figure), .field("small", \.small), .field("list", \.list),
            .field("table", \.table), .field("time", \.time), .field("nested", \.nested))
    }

    private struct Point: JSONModel {
        let x: Double

        static let json = JSONObject(Point.init, .field("x", \.x))
    }

    private func read(_ text: String) throws(JSONError) -> Figures { try Figures(json: text, .request) }

    private func failure(_ text: String) -> JSONError? {
        do {
            _ = try read(text)
            return nil
        } catch { return error }
    }

    @Test(arguments: [
        "", " ", "{", #"{"figure":1"#, #"{"figure":1}}"#, #"{"figure":1} x"#, #"{"figure":01}"#, "{'figure':1}",
        "nul", #"{"figure":NaN}"#, #"{figure:1}"#, #"{"figure":1,}"#, #"{"figure":1,"list":[1 , ]}"#,
        #"{"figure":1,"list":[01]}"#,
    ])
    func `Text that is not JSON is malformed`(text: String) {
        #expect(failure(text) == .malformed)
    }

    @Test(arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]])
    func `Bytes that are not UTF-8 are malformed`(text: [UInt8]) {
        let body = Data(#"{"code":"#.utf8) + text + Data("}".utf8)
        #expect(throws: JSONError.malformed) { try DiscountRequest(json: body, .request) }
    }

    @Test(arguments: [
        ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
        ("9007199254740993", 9_007_199_254_740_993), ("-0", 0), ("1.0", 1),
        ("9007199254740993.00", 9_007_199_254_740_993),
        ("1e3", 1000), ("-12.5e1", -125), ("1500e-2", 15), ("0e-9", 0), ("92233720368547758.07E2", Int64.max),
    ])
    func `Whole numbers of 64 bits are exact`(text: String, value: Int64) throws {
        #expect(try read(#"{"figure":\#(text)}"#).figure == value)
    }

    @Test(arguments: [
        "1.5", "9223372036854775808", "-9223372036854775809", "1e30", "1e-3", "1550e-2", "9223372036854775808.0",
        "1e99999999999999999999", "1e-99999999999999999999", #""1""#, "true", "[1]", "{}",
    ])
    func `Values that are not whole numbers or do not fit are refused`(text: String) {
        let failure = failure(#"{"figure":\#(text)}"#)
        #expect(failure?.code == .validationFailed && failure?.fields == ["figure"])
    }

    @Test(arguments: ["null", "[]", "1", #""text""#])
    func `A document that is not an object is refused as the body`(text: String) {
        #expect(failure(text)?.code == .validationFailed)
        #expect(failure(text)?.fields == ["body"])
    }

    @Test func `All unknown keys are named, even in lists and dictionaries`() {
        let failure = failure(#"{"figure":1,"z":1,"nested":[[{"x":1}],[{"x":1},{"x":2,"y":3}]],"a":{"b":1}}"#)
        #expect(failure?.code == .unknownField && failure?.fields == ["a", "nested.1.1.y", "z"])
    }

    @Test func `The keys of a dictionary are data`() throws {
        #expect(try read(#"{"figure":1,"table":{"any":1,"thing":2}}"#).table == ["any": 1, "thing": 2])
    }

    @Test(arguments: [
        (#"{"figure":1,"small":2147483648}"#, "small"), (#"{"figure":1,"list":[1,2,"3"]}"#, "list.2"),
        (#"{"figure":1,"list":[1,2.5]}"#, "list.1"), (#"{"figure":1,"table":{"a":9223372036854775808}}"#, "table.a"),
        (#"{"figure":1,"nested":[[{"x":"1"}]]}"#, "nested.0.0.x"), (#"{"figure":1,"time":"yesterday"}"#, "time"),
        // A key that occurs twice, however it is spelled.
        (#"{"figure":1,"figure":2}"#, "figure"), (#"{"figure":1,"fig\u0075re":2}"#, "figure"),
        (#"{"figure":1,"table":{"a":1,"a":1}}"#, "table.a"),
        (#"{"figure":1,"nested":[[{"x":1,"x":1}]]}"#, "nested.0.0.x"),
    ])
    func `A wrong value, and a key that occurs twice, is named by its path`(text: String, path: String) {
        #expect(failure(text)?.fields == [path] && failure(text)?.code == .validationFailed)
    }

    @Test func `The greatest number of a field's type, and a time, is read`() throws {
        #expect(try read(#"{"figure":1,"small":2147483647}"#).small == .max)
        #expect(try read(#"{"figure":1,"time":"1970-01-01T00:00:01Z"}"#).time == Date(timeIntervalSince1970: 1))
    }

    @Test func `32 levels are decoded, 33 are too deep`() {
        func nested(_ levels: Int) -> String {
            #"{"figure":1,"list":"# + String(repeating: "[", count: levels - 1)
                + String(repeating: "]", count: levels - 1) + "}"
        }
        #expect(failure(nested(32))?.fields == ["list.0"])
        #expect(failure(nested(33)) == .tooDeep)
        #expect(failure(nested(33))?.code == .jsonTooDeep)
    }

    @Test func `Thousands of brackets are too deep, closed or not; brackets in strings do not count`() throws {
        #expect(failure(String(repeating: "[", count: 5000)) == .tooDeep)
        #expect(failure(String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)) == .tooDeep)
        #expect(failure(String(repeating: #"{"a":"#, count: 5000)) == .tooDeep)
        let code = String(repeating: #"[{\""#, count: 100)
        #expect(try DiscountRequest(json: Data(#"{"code":"\#(code)"}"#.utf8), .request).code.count == 300)
    }

    @Test func `No message names a Swift type`() {
        for text in [#"{"figure":{}}"#, #"{"figure":1,"nested":1}"#, #"{"figure":1,"time":1}"#, "[]", "{}"] {
            for problem in failure(text)?.fieldProblems ?? [] {
                for name in ["Int", "Figures", "Swift"] { #expect(!problem.detail.contains(name), "\(problem)") }
            }
        }
        #expect(failure(#"{"figure":1.5}"#)?.fieldProblems.first?.detail == "figure must be a whole number.")
        #expect(failure(#"{"figure":"x"}"#)?.fieldProblems.first?.detail == "figure must be a whole number.")
        #expect(failure(#"{"figure":1,"list":1}"#)?.fieldProblems.first?.detail == "list must be a list.")
    }
}

@Suite("Patches")
struct PatchTests {
    private func profile(_ text: String) throws -> ProfilePatch { try ProfilePatch(json: Data(text.utf8), .request) }
    private func address(_ text: String) throws -> AddressPatch { try AddressPatch(json: Data(text.utf8), .request) }

    @Test func `An absent key keeps the value, null clears it, a value sets it`() throws {
        #expect(try profile("{}") == ProfilePatch())
        #expect(try profile(#"{"mobileNumber":null}"#) == ProfilePatch(mobileNumber: .clear))
        #expect(try profile(#"{"avatarURL":"/a"}"#) == ProfilePatch(avatarURL: .set("/a")))
        #expect(FieldChange<String>.keep.applied(to: "old") == "old")
        #expect(FieldChange<String>.clear.applied(to: "old") == nil)
        #expect(FieldChange.set("new").applied(to: nil) == "new")
    }

    @Test func `A patch that keeps everything is an empty object`() throws {
        #expect(try ProfilePatch().json() == Data("{}".utf8))
        #expect(try AddressPatch.empty.json() == Data("{}".utf8))
    }

    @Test func `A name cannot be cleared`() {
        let failure = #expect(throws: JSONError.self) { try profile(#"{"name":null}"#) }
        #expect(failure?.fields == ["name"] && failure?.codes == ["required"])
    }

    @Test(arguments: ["name", "line1", "city", "postalCode", "country"])
    func `Required fields of an address cannot be cleared`(key: String) {
        let failure = #expect(throws: JSONError.self) { try address(#"{"\#(key)":null}"#) }
        #expect(failure?.fields == [key] && failure?.codes == ["required"])
    }

    @Test func `An address patch changes only the fields that it names`() throws {
        let old = WireShape.fullAddress(id: "adr_01")
        #expect(try address("{}").applied(to: old) == old)
        let changed = try address(
            #"{"name":"B","line1":"L","city":"C","postalCode":"P","country":"NZ","line2":null,"region":null,"phone":null,"location":null}"#
        ).applied(to: old)
        #expect(changed == Address(id: "adr_01", name: "B", line1: "L", city: "C", postalCode: "P", country: "NZ"))
        let moved = try address(#"{"location":{"latitude":1,"longitude":2}}"#).applied(to: changed)
        #expect(moved.location == GeoPoint(latitude: 1, longitude: 2) && moved.city == "C")
    }
}

@Suite("Times on the wire")
struct WireTimeTests {
    @Test func `Milliseconds survive a round trip from 1900 to 2200`() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<2000 {
            let milliseconds = Int64.random(in: -2_208_988_800_000...7_258_118_400_000, using: &random)
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            let text = WireTime.text(date)
            let fraction = ((milliseconds % 1000) + 1000) % 1000
            #expect(text.hasSuffix(".\(String(format: "%03d", Int(fraction)))Z"), "\(milliseconds) \(text)")
            let read = try #require(WireTime.date(text))
            #expect(Int64((read.timeIntervalSince1970 * 1000).rounded()) == milliseconds)
            #expect(WireTime.text(read) == text)
        }
    }

    @Test(arguments: [
        (0.0004, "1970-01-01T00:00:00.000Z"), (0.0006, "1970-01-01T00:00:00.001Z"),
        (0.9996, "1970-01-01T00:00:01.000Z"), (1_798_859_045.6784, "2027-01-02T03:04:05.678Z"),
        (-0.0006, "1969-12-31T23:59:59.999Z"), (951_782_400, "2000-02-29T00:00:00.000Z"),
    ])
    func `Finer fractions are rounded to the nearest millisecond`(seconds: Double, text: String) {
        #expect(WireTime.text(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test(arguments: [
        ("2027-01-02T03:04:05Z", 1_798_859_045), ("2027-01-02T03:04:05.000Z", 1_798_859_045),
        ("2027-01-02T05:04:05+02:00", 1_798_859_045), ("2027-01-01T17:34:05.000-09:30", 1_798_859_045),
        // The last days of months.
        ("2028-02-29T23:00:00.000Z", 1_835_478_000), ("2000-02-29T23:00:00.000Z", 951_865_200),
        ("2030-04-30T23:00:00.000Z", 1_903_820_400), ("2030-12-31T23:00:00.000Z", 1_924_988_400),
    ])
    func `A text is the moment that a calendar has for it`(text: String, seconds: TimeInterval) throws {
        #expect(WireTime.date(text) == Date(timeIntervalSince1970: seconds))
        #expect(try Date(json: "\"\(text)\"") == Date(timeIntervalSince1970: seconds))
    }

    /// The examples of RFC 3339 §5.8, and each alternative of its grammar.
    @Test(arguments: [
        ("1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50.520Z"),
        ("1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57.000Z"),
        ("1990-12-31T23:59:60Z", "1991-01-01T00:00:00.000Z"),
        ("1990-12-31T15:59:60-08:00", "1991-01-01T00:00:00.000Z"),
        ("1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27.870Z"),
        ("2027-01-02t03:04:05z", "2027-01-02T03:04:05.000Z"),
        ("2027-01-02T03:04:05.1234567890123456789Z", "2027-01-02T03:04:05.123Z"),
        ("2027-01-02T03:04:05.9995Z", "2027-01-02T03:04:06.000Z"),
        ("2027-01-02T03:04:05-00:00", "2027-01-02T03:04:05.000Z"),
        ("2027-01-02T03:04:05+23:59", "2027-01-01T03:05:05.000Z"),
        ("0000-02-29T00:00:00Z", "0000-02-29T00:00:00.000Z"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"),
    ])
    func `Every form of RFC 3339 is read`(text: String, utc: String) throws {
        #expect(WireTime.date(text).map(WireTime.text) == utc)
        #expect(WireTime.text(try Date(json: "\"\(text)\"")) == utc)
    }

    @Test(arguments: [
        "", "now", "2027-01-02", "03:04:05Z", "2027-13-02T03:04:05Z", "1798859045", "2027-01-02T03:04:05",
        "2030-02-30T00:00:00Z", "2030-02-29T00:00:00Z", "2100-02-29T00:00:00.000Z", "2030-04-31T00:00:00.000Z",
        "2030-01-00T00:00:00Z", "2030-01-01T24:00:00Z", "2030-01-01T23:60:00.000Z", "2030-01-01T23:59:60Z",
        "2030-1-1T00:00:00Z", "2030-01-01T00:00:00+25:00", "2030-01-01T00:00:00.5-99:00",
        "2027-01-02T03:04:05Zx", "2027-01-02T03:04:05.000Z ", "2027-01-02T03:04:05+0200", "2027-01-02T03:04:05+02",
        "2027-01-02 03:04:05Z", "2027-01-02T03:04:05.Z", "2027-01-02T03:04:05,5Z", "2027-01-02T03:04Z",
        "20270102T030405Z", "2027-01-02T03:04:05+02:60", "+2027-01-02T03:04:05Z", "2027-01-02T03:04:60Z",
        "2016-12-31T23:59:61Z", "2016-12-31T22:59:60Z", "2016-12-31T23:59:60+01:00",
    ])
    func `Text that is not a time is refused`(text: String) {
        #expect(WireTime.date(text) == nil)
        let error = #expect(throws: JSONError.self) { try Date(json: "\"\(text)\"") }
        #expect(error == .fields([.init(path: "", fault: .wrongType(expected: "a time such as 2026-12-01T09:30:00Z"))]))
    }
}
