import Foundation

/// The dependencies of the services: the store, the clock, randomness and the shop's settings. The composition root
/// makes one.
public struct DomainEnvironment: Sendable {
    public let store: any Store
    public let time: any TimeSource
    public let random: any RandomSource
    public let digests: any Digests
    public let ids: Identifier
    public let shop: ShopSettings
    /// Delivery by courier; nil for a shop that does not offer it.
    public let courier: (any DeliveryOption)?

    public init(
        store: any Store, time: any TimeSource, random: any RandomSource, digests: any Digests, shop: ShopSettings,
        courier: (any DeliveryOption)? = nil
    ) {
        self.store = store
        self.time = time
        self.random = random
        self.digests = digests
        ids = Identifier(time: time, random: random)
        self.shop = shop
        self.courier = courier
    }
}

/// The current time.
public protocol TimeSource: Sendable {
    var now: Date { get }
}

/// The clock of the machine.
public struct SystemTime: TimeSource {
    public init() {}

    public var now: Date { Date() }
}

/// The pause before a retry; doubles with each failure in a row, from 250 ms up to 5 s.
public struct RetryPause: Sendable {
    private var last: Duration?

    public init() {}

    /// The pause after one more failure.
    public mutating func next() -> Duration {
        let pause = last.map { min($0 * 2, .seconds(5)) } ?? .milliseconds(250)
        last = pause
        return pause
    }
}

/// Random bytes for ids and tokens; has to be cryptographically secure.
public protocol RandomSource: Sendable {
    func bytes(_ count: Int) -> [UInt8]
}

/// The operating system's random numbers.
public struct SystemRandom: RandomSource {
    public init() {}

    public func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
            // A number of the standard library is a call of the system for each 8 bytes; this is one for up to 256.
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
    /// For one-time passwords, whose standard has no other function in common use.
    func hmacSHA1(_ data: Data, key: Data) -> Data
    /// Compares in constant time.
    func isEqual(_ one: Data, _ other: Data) -> Bool
    /// Compares in constant time.
    func isHMACSHA256(_ code: Data, of data: Data, key: Data) -> Bool
}
