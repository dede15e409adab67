import Foundation

/// Writes bytes as text with 4, 5 or 6 bits per character, without padding (RFC 4648).
///
///     ByteAlphabet.base16.text([202, 254])     // cafe
///     ByteAlphabet.base64URL.bytes("yv4".utf8) // [202, 254]
public struct ByteAlphabet: Sendable {
    /// The alphabet that is safe in URLs and headers (RFC 4648 §5).
    public static let base64URL = ByteAlphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    /// Crockford's base 32 in lower case, which sorts like the bytes.
    public static let base32 = ByteAlphabet("0123456789abcdefghjkmnpqrstvwxyz")

    /// Base 32 in upper case (RFC 4648 §6), as read by programs for one-time passwords.
    public static let base32Capital = ByteAlphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

    /// Hexadecimal digits in lower case.
    public static let base16 = ByteAlphabet("0123456789abcdef")

    private static let noCharacter = UInt8.max

    private let characters: [UInt8]
    /// The value of each ASCII character, or `noCharacter`.
    private let values: [UInt8]
    private let bitsPerCharacter: Int

    private init(_ alphabet: StaticString) {
        characters = alphabet.withUTF8Buffer { Array($0) }
        bitsPerCharacter = characters.count.trailingZeroBitCount
        var values = [UInt8](repeating: Self.noCharacter, count: 256)
        for (value, character) in characters.enumerated() { values[Int(character)] = UInt8(value) }
        self.values = values
    }

    public func text(_ bytes: some Sequence<UInt8>) -> String {
        // A loop over any sequence calls a function for each byte, and a checkout writes many ids.
        bytes.withContiguousStorageIfAvailable(encode) ?? Array(bytes).withUnsafeBufferPointer(encode)
    }

    private func encode(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let count = (bytes.count * 8 + bitsPerCharacter - 1) / bitsPerCharacter
        return String(unsafeUninitializedCapacity: count) { text in
            var (buffer, bits, place) = (UInt32(0), 0, 0)
            for byte in bytes {
                buffer = buffer << 8 | UInt32(byte)
                bits += 8
                while bits >= bitsPerCharacter {
                    bits -= bitsPerCharacter
                    text[place] = character(buffer >> UInt32(bits))
                    place += 1
                }
            }
            if bits > 0 { text[place] = character(buffer << UInt32(bitsPerCharacter - bits)) }
            return count
        }
    }

    private func character(_ lastBits: UInt32) -> UInt8 {
        characters[Int(lastBits) & (characters.count - 1)]
    }

    /// - Returns: nil for a text that `text` does not produce, so that bytes have only one spelling.
    public func bytes(_ text: some Sequence<UInt8>) -> [UInt8]? {
        text.withContiguousStorageIfAvailable(decode) ?? Array(text).withUnsafeBufferPointer(decode)
    }

    private func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * bitsPerCharacter / 8)
        var (buffer, bits) = (UInt32(0), 0)
        for character in text {
            let value = values[Int(character)]
            guard value != Self.noCharacter else { return nil }
            buffer = buffer << UInt32(bitsPerCharacter) | UInt32(value)
            bits += bitsPerCharacter
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        // Refuses a spare character at the end, and spare bits of the last character that are not 0.
        guard bits < bitsPerCharacter, buffer & (1 << UInt32(bits) - 1) == 0 else { return nil }
        return bytes
    }
}

extension Data {
    /// The bytes in base64url, without padding.
    public var base64URL: String { ByteAlphabet.base64URL.text(self) }

    /// - Returns: nil for any text that `base64URL` does not produce, so that a value has only one spelling.
    public init?(base64URL text: some StringProtocol) {
        guard let bytes = ByteAlphabet.base64URL.bytes(text.utf8) else { return nil }
        self.init(bytes)
    }
}
