import Foundation
import PouchWire
import SeededRandom
import Testing

@Suite("Times on the wire")
struct WireTimeTests {
    @Test("Milliseconds are written and read exactly, from 1900 to 2200")
    func exact() throws {
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

    @Test(
        "Finer fractions are rounded to the nearest millisecond",
        arguments: [
            (0.0004, "1970-01-01T00:00:00.000Z"), (0.0006, "1970-01-01T00:00:00.001Z"),
            (0.9996, "1970-01-01T00:00:01.000Z"), (1_798_859_045.6784, "2027-01-02T03:04:05.678Z"),
            (-0.0006, "1969-12-31T23:59:59.999Z"), (951_782_400, "2000-02-29T00:00:00.000Z"),
        ])
    func rounding(seconds: Double, text: String) {
        #expect(WireTime.text(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test(
        "Offsets and a missing fraction are read",
        arguments: [
            "2027-01-02T03:04:05Z", "2027-01-02T03:04:05.000Z", "2027-01-02T05:04:05+02:00",
            "2027-01-01T17:34:05.000-09:30",
        ])
    func offsets(text: String) {
        #expect(WireTime.date(text) == Date(timeIntervalSince1970: 1_798_859_045))
    }

    @Test(
        "What is no time is refused",
        arguments: ["", "now", "2027-01-02", "03:04:05Z", "2027-13-02T03:04:05Z", "1798859045", "2027-01-02T03:04:05"])
    func notTimes(text: String) {
        #expect(WireTime.date(text) == nil)
    }
}
