import Foundation
import PouchJSON
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

    @Test func `Payloads of any length survive a round trip`() {
        var random = SplitMix64(seed: 1)
        for length in 0..<70 {
            let payload = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
            let cursor = codec.encode(payload)
            #expect(codec.decode(cursor) == payload)
            #expect(cursor.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
        }
    }

    @Test func `A cursor with any changed character is refused`() {
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

    @Test func `Unused bits of the last characters must be zero`() {
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

    @Test(arguments: ["A", ".", ".AAAA", "=", " ", "\n"])
    func `A cursor with added text is refused`(text: String) {
        let cursor = codec.encode(Data("payload".utf8))
        #expect(codec.decode(cursor + text) == nil)
        #expect(codec.decode(text + cursor) == nil)
    }

    @Test func `A cursor of another key is refused`() {
        #expect(Self.codec(key: 2).decode(codec.encode(Data("payload".utf8))) == nil)
    }

    @Test(arguments: ["", ".", "..", "a", "a.b", "é.é", "%00.%00"])
    func `Text that is not a cursor is refused`(text: String) {
        #expect(codec.decode(text) == nil)
    }

    @Test func `The constant-time comparison is equality`() {
        #expect(Data([1, 2]).equalsInConstantTime(Data([1, 2])))
        #expect(!Data([1, 2]).equalsInConstantTime(Data([1, 3])))
        #expect(!Data([1, 2]).equalsInConstantTime(Data([1])))
        #expect(!Data().equalsInConstantTime(Data([0])))
        // A slice does not start at index 0.
        #expect(Data([9, 1, 2]).dropFirst().equalsInConstantTime(Data([1, 2])))
    }
}

/// Bytes written as text, compared with the vectors of RFC 4648 §10 and with Foundation.
@Suite("Bytes as text")
struct ByteAlphabetTests {
    @Test(arguments: [
        ("", "", "", ""), ("f", "66", "cr", "Zg"), ("fo", "666f", "csqg", "Zm8"), ("foo", "666f6f", "csqpy", "Zm9v"),
        ("foob", "666f6f62", "csqpyrg", "Zm9vYg"), ("fooba", "666f6f6261", "csqpyrk1", "Zm9vYmE"),
        ("foobar", "666f6f626172", "csqpyrk1e8", "Zm9vYmFy"),
    ])
    func `The texts are those of RFC 4648 without padding`(bytes: String, base16: String, base32: String, base64URL: String)
    {
        #expect(ByteAlphabet.base16.text(bytes.utf8) == base16)
        // The vectors in Crockford's alphabet.
        #expect(ByteAlphabet.base32.text(bytes.utf8) == base32)
        #expect(ByteAlphabet.base64URL.text(bytes.utf8) == base64URL)
    }

    @Test func `Random bytes have the base64 of Foundation, and are read back in every alphabet`() {
        var random = SplitMix64(seed: 3)
        for length in 0..<200 {
            let bytes = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
            #expect(
                bytes.base64URL
                    == bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                    .replacing("=", with: ""))
            for alphabet in [ByteAlphabet.base16, .base32, .base64URL] {
                #expect(alphabet.bytes(alphabet.text(bytes).utf8) == Array(bytes))
            }
        }
    }

    @Test func `Every text of up to three characters is refused, or is the one spelling of its bytes`() {
        let characters = Array("0AaFfgzZ_-+/= é".utf8)
        let texts = characters.flatMap { first in
            [[first]] + characters.flatMap { second in [[first, second]] + characters.map { [first, second, $0] } }
        }
        for alphabet in [ByteAlphabet.base16, .base32, .base64URL] {
            let (read, refused) = texts.reduce(into: (0, 0)) { counts, text in
                guard let bytes = alphabet.bytes(text) else { return counts.1 += 1 }
                counts.0 += 1
                #expect(Array(alphabet.text(bytes).utf8) == text)
            }
            #expect(read > 0 && refused > 0)
        }
    }
}
