import Foundation
import PouchWire
import SeededRandom
import Testing

@Suite("Cursors")
struct CursorCodecTests {
    /// FNV-1a over key and payload replaces the server's HMAC; it changes with every byte.
    private static func codec(key: UInt64) -> CursorCodec {
        CursorCodec { payload in
            let hash = payload.reduce(0xcbf2_9ce4_8422_2325 ^ key) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            return withUnsafeBytes(of: hash) { Data($0) }
        }
    }

    private let codec = codec(key: 1)

    @Test("Payloads of any length survive a round trip")
    func roundTrip() {
        var random = SplitMix64(seed: 1)
        for length in 0..<70 {
            let payload = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
            let cursor = codec.encode(payload)
            #expect(codec.decode(cursor) == payload)
            #expect(cursor.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
        }
    }

    @Test("A cursor with any changed character is refused")
    func tampering() {
        let cursor = Array(codec.encode(Data(#"{"id":"prd_0123"}"#.utf8)))
        for place in cursor.indices {
            for character in "Aa0-_.é=" where character != cursor[place] {
                var changed = cursor
                changed[place] = character
                #expect(codec.decode(String(changed)) == nil, "\(place) \(character)")
            }
            var shorter = cursor
            shorter.remove(at: place)
            #expect(codec.decode(String(shorter)) == nil, "\(place)")
        }
    }

    @Test("Unused bits of the last characters must be zero")
    func unusedBits() {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for length in 0..<3 {
            let cursor = codec.encode(Data(repeating: 7, count: length))
            let halves = cursor.split(separator: ".", omittingEmptySubsequences: false)
            for character in alphabet {
                let payload = halves[0].dropLast() + String(character) + "." + halves[1]
                let code = halves[0] + "." + halves[1].dropLast() + String(character)
                for changed in [String(payload), String(code)] where changed != cursor {
                    #expect(codec.decode(changed) == nil, "\(changed)")
                }
            }
        }
    }

    @Test("A cursor with added text is refused", arguments: ["A", ".", ".AAAA", "=", " ", "\n"])
    func additions(text: String) {
        let cursor = codec.encode(Data("payload".utf8))
        #expect(codec.decode(cursor + text) == nil)
        #expect(codec.decode(text + cursor) == nil)
    }

    @Test("A cursor of another key is refused")
    func otherKey() {
        #expect(Self.codec(key: 2).decode(codec.encode(Data("payload".utf8))) == nil)
    }

    @Test("Text that is not a cursor is refused", arguments: ["", ".", "..", "a", "a.b", "é.é", "%00.%00"])
    func garbage(text: String) {
        #expect(codec.decode(text) == nil)
    }

    @Test("The constant-time comparison is equality")
    func constantTime() {
        #expect(Data([1, 2]).equalsInConstantTime(Data([1, 2])))
        #expect(!Data([1, 2]).equalsInConstantTime(Data([1, 3])))
        #expect(!Data([1, 2]).equalsInConstantTime(Data([1])))
        #expect(!Data().equalsInConstantTime(Data([0])))
        // A slice does not start at index 0.
        #expect(Data([9, 1, 2]).dropFirst().equalsInConstantTime(Data([1, 2])))
    }
}
