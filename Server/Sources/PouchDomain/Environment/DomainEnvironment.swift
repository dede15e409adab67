import Foundation
import PouchJSON

/// The dependencies of the services: the store, the clock, randomness and the shop's settings. The composition root
/// creates one.
public struct DomainEnvironment: Sendable {
    public let store: any Store
    public let time: any TimeSource
    public let random: any RandomSource
    public let digests: any Digests
    public let ids: Identifier
    public let shop: ShopSettings
    /// Delivery by courier; nil for a shop that does not offer it.
    public let courier: (any Courier)?

    public init(
        store: any Store, time: any TimeSource, random: any RandomSource, digests: any Digests, shop: ShopSettings,
        courier: (any Courier)? = nil
    ) {
        self.store = store
        self.time = time
        self.random = random
        self.digests = digests
        ids = Identifier(time: time, random: random)
        self.shop = shop
        self.courier = courier
    }

    /// The version of a value that has no stored one: the first 56 bits of its digest. Equal values have the same
    /// version.
    func version(of value: some JSONCodable) throws -> Int {
        digests.sha256(try value.json()).prefix(7).reduce(0) { $0 << 8 | Int($1) }
    }
}

/// The current time.
public protocol TimeSource: Sendable {
    var now: Date { get }
}

/// The machine's clock.
public struct SystemTime: TimeSource {
    public init() {}

    public var now: Date { Date() }
}

/// The pauses between retries, which grow with each consecutive failure up to a limit.
///
///     var backoff = Backoff(first: .seconds(5), longest: .seconds(900))
///     backoff.next()                                     // 5 s, then 10 s, 20 s, …
public struct Backoff: Sendable {
    private let first: Duration
    private let factor: Double
    private let longest: Duration
    private var failures = 0

    /// Creates pauses that by default start at 250 ms and double up to 5 s.
    public init(first: Duration = .milliseconds(250), factor: Double = 2, longest: Duration = .seconds(5)) {
        self.first = first
        self.factor = factor
        self.longest = longest
    }

    /// - Parameter failures: the number of consecutive failures, from 1.
    public func pause(after failures: Int) -> Duration {
        // As a number: a duration could not represent every power.
        .seconds(min(longest / .seconds(1), first / .seconds(1) * pow(factor, Double(max(failures, 1) - 1))))
    }

    /// The pause after one more failure.
    public mutating func next() -> Duration {
        failures += 1
        return pause(after: failures)
    }
}

/// Random bytes for ids and tokens; must be cryptographically secure.
public protocol RandomSource: Sendable {
    func bytes(_ count: Int) -> [UInt8]
}

/// The operating system's random numbers.
public struct SystemRandom: RandomSource {
    public init() {}

    public func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
            // The standard library makes one system call for each 8 bytes; this makes one for up to 256.
            while initialized < count {
                let length = min(256, count - initialized)
                let status = getentropy(bytes.baseAddress.map { $0 + initialized }, length)
                precondition(status == 0, "The system gives no random numbers.")
                initialized += length
            }
        }
    }
}

/// The cryptographic functions that the services need.
public protocol Digests: Sendable {
    func sha256(_ data: Data) -> Data
    func hmacSHA256(_ data: Data, key: Data) -> Data
    /// Computes HMAC-SHA-1 for one-time passwords, whose standard has no other function in common use.
    func hmacSHA1(_ data: Data, key: Data) -> Data
    /// Compares in constant time.
    func isEqual(_ one: Data, _ other: Data) -> Bool
    /// Compares in constant time.
    func isHMACSHA256(_ code: Data, of data: Data, key: Data) -> Bool
}
