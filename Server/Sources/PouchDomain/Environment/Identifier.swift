import Foundation
import PouchJSON
import Synchronization

/// Creates ids: a prefix for the type, then 48 bits of time in milliseconds, a 24-bit number and 56 random bits in
/// Crockford's base 32.
///
/// Ids created by one server sort by their creation time, even within a millisecond: the number counts the server's
/// ids. A list of rows that were created together is therefore in the order of their creation.
public struct Identifier: Sendable {
    /// The kinds of objects with ids, with the prefix of each kind's ids.
    public enum Kind: String, Sendable {
        case account = "acc_"
        case accountLink = "lnk_"
        case address = "adr_"
        case apiKey = "key_"
        /// An attempt to sign in, or to enter the code of a second factor.
        case attempt = "att_"
        case audit = "aud_"
        case delivery = "dlv_"
        case discount = "dis_"
        case export = "exp_"
        case `import` = "imp_"
        /// A server in traces.
        case instance = "srv_"
        case invitation = "inv_"
        case linkRequest = "lrq_"
        case mail = "mai_"
        case order = "ord_"
        case orderNote = "not_"
        case payment = "pay_"
        case product = "prd_"
        case refund = "ref_"
        case ride = "rid_"
        case scheduledPrice = "scp_"
        case session = "ses_"
        case webhook = "whk_"
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

    let time: any TimeSource
    let random: any RandomSource
    private let latest = Latest()

    public func make(_ kind: Kind) -> String {
        let milliseconds = UInt64(max(0, time.now.timeIntervalSince1970 * 1000))
        let number = UInt64(latest.number(at: milliseconds))
        return Self.text(kind, milliseconds: milliseconds, rest: Self.bytes(number, 3) + random.bytes(7))
    }

    static func text(_ kind: Kind, milliseconds: UInt64, rest: [UInt8]) -> String {
        kind.rawValue + ByteAlphabet.base32.text(bytes(milliseconds, 6) + rest)
    }

    /// The lowest bytes of a number, most significant first.
    private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (UInt64($0) * 8)) }
    }
}
