import Foundation
import Testing

@testable import PouchDomain
@testable import PouchServer

@Suite("One-time passwords")
struct OneTimePasswordTests {
    private let password = OneTimePassword(secret: Data("12345678901234567890".utf8), digests: CryptoDigests())

    @Test(arguments: [
        (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
        (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ])
    func `The codes are those of RFC 6238, appendix B`(seconds: Int, code: String) {
        let step = OneTimePassword.step(at: Date(timeIntervalSince1970: TimeInterval(seconds)))
        #expect(password.code(step: step, digits: 8) == code)
        #expect(password.code(step: step) == code.suffix(6))
    }

    @Test func `The codes are those of RFC 4226, appendix D`() {
        let codes = [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
        ]
        #expect((0..<10).map { password.code(step: $0) } == codes)
    }

    @Test func `The current code and its neighbours are accepted, each after the last that was used`() {
        let now = Date(timeIntervalSince1970: 3_000)
        func step(_ offset: Int64, after last: Int64 = 0) -> Int64? {
            password.step(of: password.code(step: 100 + offset), at: now, after: last)
        }
        #expect([-2, -1, 0, 1, 2].map { step($0) } == [nil, 99, 100, 101, nil])
        #expect([-1, 0, 1].map { step($0, after: 100) } == [nil, nil, 101])
        for code in ["", "12345", "1234567", "abcdef", "\u{0661}23456"] {
            #expect(password.step(of: code, at: now, after: 0) == nil)
        }
    }

    @Test func `HMAC-SHA-1 is that of RFC 2202`() {
        let digests = CryptoDigests()
        func hex(_ data: Data) -> String { data.map { String(format: "%02x", $0) }.joined() }
        #expect(
            hex(digests.hmacSHA1(Data("Hi There".utf8), key: Data(repeating: 0x0b, count: 20)))
                == "b617318655057264e28bc0b6fb378c8ef146be00")
        #expect(
            hex(digests.hmacSHA1(Data("what do ya want for nothing?".utf8), key: Data("Jefe".utf8)))
                == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
    }
}
