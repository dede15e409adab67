import Foundation

/// Makes ids: a prefix for the type, then 48 bits of time in milliseconds and 80 random bits in Crockford's base 32.
/// Ids of one type sort by the time when they were made.
public struct Identifier: Sendable {
    /// The prefix of a type's ids, with its underscore. Each type declares its own next to its record.
    public struct Kind: Sendable {
        let prefix: String

        public init(_ prefix: String) {
            self.prefix = prefix
        }
    }

    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")

    let time: any TimeSource
    let random: any RandomSource

    public func make(_ kind: Kind) -> String {
        let milliseconds = UInt64(max(0, time.now.timeIntervalSince1970 * 1000))
        let bytes =
            (0..<6).reversed().map { UInt8(truncatingIfNeeded: milliseconds >> (UInt64($0) * 8)) }
            + random.bytes(10)
        return kind.prefix + Self.base32(bytes)
    }

    private static func base32(_ bytes: [UInt8]) -> String {
        var text = ""
        var buffer: UInt32 = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int(buffer >> UInt32(bits)) & 31])
                buffer &= (1 << UInt32(bits)) - 1
            }
        }
        if bits > 0 { text.append(alphabet[Int(buffer << UInt32(5 - bits)) & 31]) }
        return text
    }
}
