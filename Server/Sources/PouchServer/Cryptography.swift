import COpenSSL
import Foundation
import PouchDomain
import PouchJSON
import PouchWire

/// SHA-256 and HMAC from OpenSSL, which libpq depends on. swift-crypto would compile a second BoringSSL, next to
/// SwiftNIO's.
struct CryptoDigests: Digests {
    func sha256(_ data: Data) -> Data {
        Self.digest(bytes: SHA256_DIGEST_LENGTH) { digest in
            data.withUnsafeBytes { SHA256($0.baseAddress, $0.count, digest) }
        }
    }

    func hmacSHA256(_ data: Data, key: Data) -> Data {
        Self.hmac(EVP_sha256(), bytes: SHA256_DIGEST_LENGTH, data, key: key)
    }

    func hmacSHA1(_ data: Data, key: Data) -> Data {
        Self.hmac(EVP_sha1(), bytes: SHA_DIGEST_LENGTH, data, key: key)
    }

    func isEqual(_ one: Data, _ other: Data) -> Bool { one.equalsInConstantTime(other) }

    private static func hmac(_ hash: OpaquePointer?, bytes: Int32, _ data: Data, key: Data) -> Data {
        // OpenSSL takes a nil pointer for a missing key, so an empty key needs an address too.
        withUnsafeBytes(of: UInt8(0)) { empty in
            digest(bytes: bytes) { digest in
                data.withUnsafeBytes { data in
                    key.withUnsafeBytes { key in
                        HMAC(
                            hash, key.baseAddress ?? empty.baseAddress, Int32(key.count),
                            data.baseAddress ?? empty.baseAddress, data.count, digest, nil)
                    }
                }
            }
        }
    }

    func isHMACSHA256(_ code: Data, of data: Data, key: Data) -> Bool {
        hmacSHA256(data, key: key).equalsInConstantTime(code)
    }

    /// - Parameter body: writes the digest, and returns nil if OpenSSL lacks the function.
    private static func digest(
        bytes: Int32, _ body: (UnsafeMutablePointer<UInt8>?) -> UnsafeMutablePointer<UInt8>?
    ) -> Data {
        var digest = Data(count: Int(bytes))
        let isDone = digest.withUnsafeMutableBytes { body($0.bindMemory(to: UInt8.self).baseAddress) != nil }
        precondition(isDone, "OpenSSL cannot compute the digest.")
        return digest
    }
}

/// Password hashes with scrypt (RFC 7914), computed on separate threads to keep event loops and the cooperative pool
/// free.
///
/// Sign-ins have priority over new hashes. See ``FairThreadPool`` for the number of requests that can wait.
public final class ScryptPasswordHasher: PasswordHasher {
    /// The parameters of RFC 7914 §2. One hash needs 128 · 2^log2N · blockSize bytes of memory.
    public struct Cost: Sendable, Equatable {
        public let log2N: Int
        public let blockSize: Int
        public let parallelism: Int

        /// A hasher accepts 1 to 24 for `log2N`, and 1 to 64 for the others.
        public init(log2N: Int, blockSize: Int, parallelism: Int) {
            self.log2N = log2N
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        /// One of the equivalent choices in OWASP's cheat sheet on password storage; 32 MiB per hash.
        public static let standard = Cost(log2N: 15, blockSize: 8, parallelism: 3)
        /// The lowest cost, to check that OpenSSL has scrypt. Too weak for a stored hash.
        fileprivate static let lowest = Cost(log2N: 1, blockSize: 1, parallelism: 1)

        fileprivate var isAccepted: Bool {
            (1...24).contains(log2N) && (1...64).contains(blockSize) && (1...64).contains(parallelism)
        }
    }

    /// A hash, split into its parts.
    private struct Parts {
        let cost: Cost
        let salt: Data
        let hash: Data
    }

    private static let saltBytes = 16
    private static let hashBytes = 32

    private let cost: Cost
    let threads: FairThreadPool
    /// The hash that is compared with the password when there is no account, so that both cases take the same time.
    private let decoy: String

    /// - Throws: when the cost is out of bounds, or OpenSSL has no scrypt, so that the server fails when it starts and
    ///   not at each sign-in.
    public init(cost: Cost = .standard) throws {
        guard cost.isAccepted else { throw ScryptFailure() }
        self.cost = cost
        _ = try Self.derive("", salt: Data(count: 1), cost: .lowest)
        threads = FairThreadPool(threads: max(1, ProcessInfo.processInfo.activeProcessorCount / 2))
        decoy = Self.text(Parts(cost: cost, salt: Data(count: Self.saltBytes), hash: Data(count: Self.hashBytes)))
    }

    public func hash(_ password: String, network: String) async throws -> String {
        let cost = cost
        return try await threads.run(.ordinary, for: network) {
            let salt = Data(SystemRandom().bytes(Self.saltBytes))
            return Self.text(
                Parts(cost: cost, salt: salt, hash: try Self.derive(password, salt: salt, cost: cost)))
        }
    }

    public func verify(_ password: String, against hash: String?, network: String) async throws -> Bool {
        let text = hash ?? decoy
        let matches = try await threads.run(.urgent, for: network) {
            guard let stored = Self.parse(text) else { return false }
            return try Self.derive(password, salt: stored.salt, cost: stored.cost).equalsInConstantTime(stored.hash)
        }
        return matches && hash != nil
    }

    private static func derive(_ password: String, salt: Data, cost: Cost) throws -> Data {
        let password = Array(password.precomposedStringWithCanonicalMapping.utf8CString.dropLast())
        let rounds = UInt64(1) << cost.log2N
        // The bytes that the algorithm allocates (RFC 7914 §2, §6); without a limit, OpenSSL refuses more than 32 MiB.
        let memory = 128 * UInt64(cost.blockSize) * (rounds + UInt64(cost.parallelism) + 2)
        var key = Data(count: hashBytes)
        let isDone = key.withUnsafeMutableBytes { key in
            salt.withUnsafeBytes { salt in
                EVP_PBE_scrypt(
                    password, password.count, salt.bindMemory(to: UInt8.self).baseAddress, salt.count,
                    rounds, UInt64(cost.blockSize), UInt64(cost.parallelism), memory,
                    key.bindMemory(to: UInt8.self).baseAddress, key.count)
            }
        }
        guard isDone == 1 else { throw ScryptFailure() }
        return key
    }

    /// The PHC string format contains the cost, so that a later version can raise it and still read old hashes.
    private static func text(_ parts: Parts) -> String {
        let (cost, salt, hash) = (parts.cost, parts.salt.base64URL, parts.hash.base64URL)
        return "$scrypt$ln=\(cost.log2N),r=\(cost.blockSize),p=\(cost.parallelism)$\(salt)$\(hash)"
    }

    /// - Returns: nil for a text that is not a hash, or whose cost is out of bounds.
    private static func parse(_ text: String) -> Parts? {
        let parts = text.split(separator: "$")
        guard parts.count == 4, parts[0] == "scrypt",
            let salt = Data(base64URL: parts[2]), let hash = Data(base64URL: parts[3])
        else { return nil }
        let numbers = parts[1].split(separator: ",").compactMap { Int($0.drop { $0 != "=" }.dropFirst()) }
        guard numbers.count == 3 else { return nil }
        let cost = Cost(log2N: numbers[0], blockSize: numbers[1], parallelism: numbers[2])
        guard cost.isAccepted else { return nil }
        return Parts(cost: cost, salt: salt, hash: hash)
    }
}

/// The parameters are invalid, or there is not enough memory for them.
private struct ScryptFailure: Error {}
