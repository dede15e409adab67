import Foundation
import PouchJSON

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

    let time: any TimeSource
    let random: any RandomSource

    public func make(_ kind: Kind) -> String {
        let milliseconds = UInt64(max(0, time.now.timeIntervalSince1970 * 1000))
        return Self.text(kind, milliseconds: milliseconds, random: random.bytes(10))
    }

    static func text(_ kind: Kind, milliseconds: UInt64, random: [UInt8]) -> String {
        let bytes = (0..<6).reversed().map { UInt8(truncatingIfNeeded: milliseconds >> (UInt64($0) * 8)) } + random
        return kind.prefix + ByteAlphabet.base32.text(bytes)
    }
}
