import Foundation

/// Time-based one-time passwords (RFC 6238) with SHA-1 and steps of 30 seconds, as in authenticator apps.
public struct OneTimePassword: Sendable {
    /// The length of a step in seconds.
    public static let period: TimeInterval = 30
    public static let digits = 6
    /// The length of a secret in bytes, as recommended by RFC 4226 §4.
    static let secretBytes = 20
    /// The number of steps before and after the current one whose codes are accepted, since clocks differ.
    private static let drift: Int64 = 1

    private let secret: Data
    private let digests: any Digests

    public init(secret: Data, digests: any Digests) {
        self.secret = secret
        self.digests = digests
    }

    public static func step(at time: Date) -> Int64 {
        Int64((time.timeIntervalSince1970 / period).rounded(.down))
    }

    /// The code of a step (RFC 4226 §5.3).
    public func code(step: Int64, digits: Int = Self.digits) -> String {
        let counter = withUnsafeBytes(of: step.bigEndian) { Data($0) }
        let mac = Array(digests.hmacSHA1(counter, key: secret))
        let offset = Int(mac[mac.count - 1] & 0xf)
        let number = mac[offset..<(offset + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        let modulus = (0..<digits).reduce(UInt32(1)) { product, _ in product * 10 }
        let text = String(number % modulus)
        return String(repeating: "0", count: digits - text.count) + text
    }

    /// The step of a code, if it is one of the current steps and later than the last one used.
    ///
    /// Compares with all of them in constant time.
    func step(of code: String, at now: Date, after last: Int64) -> Int64? {
        let current = Self.step(at: now)
        return ((current - Self.drift)...(current + Self.drift)).reduce(nil) { found, step in
            let matches = digests.isEqual(Data(self.code(step: step).utf8), Data(code.utf8))
            return matches && step > last ? step : found
        }
    }
}
