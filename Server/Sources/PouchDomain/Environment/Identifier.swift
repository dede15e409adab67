import Foundation
import PouchJSON
import Synchronization

/// Creates ids: a prefix for the type, then 48 bits of time in milliseconds, a 24-bit number and 56 random bits in
/// Crockford's base 32.
///
/// Ids created by one server sort by their creation time, even within a millisecond: the number counts the server's
/// ids. A list of rows that were created together is therefore in the order of their creation.
public struct Identifier: Sendable {
    /// The prefix of a type's ids, with its underscore. Each type declares its own next to its record.
    public struct Kind: Sendable {
        let prefix: String

        public init(_ prefix: String) {
            self.prefix = prefix
        }
    }

    /// The ids created in the latest millisecond.
    private final class Latest: Sendable {
        private let made = Mutex<(milliseconds: UInt64, count: UInt32)>((0, 0))

        /// The number of the next id.
        func number(at milliseconds: UInt64) -> UInt32 {
            made.withLock { made in
                made = (milliseconds, made.milliseconds == milliseconds ? made.count &+ 1 : 0)
                return made.count
            }
        }
    }

    private let time: any TimeSource
    private let random: any RandomSource
    private let latest = Latest()

    init(time: any TimeSource, random: any RandomSource) {
        self.time = time
        self.random = random
    }

    public func make(_ kind: Kind) -> String {
        let milliseconds = UInt64(max(0, time.now.timeIntervalSince1970 * 1000))
        let number = UInt64(latest.number(at: milliseconds))
        return Self.text(kind, milliseconds: milliseconds, rest: Self.bytes(number, 3) + random.bytes(7))
    }

    static func text(_ kind: Kind, milliseconds: UInt64, rest: [UInt8]) -> String {
        kind.prefix + ByteAlphabet.base32.text(bytes(milliseconds, 6) + rest)
    }

    /// The lowest bytes of a number, most significant first.
    private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (UInt64($0) * 8)) }
    }
}
