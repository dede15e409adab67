import Crypto
import CryptoExtras
import Foundation
import NIOPosix
import PouchDomain
import PouchWire
import Synchronization

/// Hashes passwords with scrypt (RFC 7914) on threads of its own, so that neither event loops nor the cooperative pool
/// wait for it.
public final class ScryptPasswordHasher: PasswordHasher {
    /// The parameters of RFC 7914 §2. One hash takes 128 · 2^log2N · blockSize bytes of memory.
    public struct Cost: Sendable, Equatable {
        public let log2N: Int
        public let blockSize: Int
        public let parallelism: Int

        public init(log2N: Int, blockSize: Int, parallelism: Int) {
            self.log2N = log2N
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        /// One of the equivalent choices in OWASP's cheat sheet on password storage; 32 MiB for each hash.
        public static let standard = Cost(log2N: 15, blockSize: 8, parallelism: 3)
    }

    private static let saltBytes = 16
    private static let hashBytes = 32
    /// The most callers that wait or are served at once; so that a flood of sign-ins fails fast.
    private static let queueBound = 64

    private let cost: Cost
    private let threads: NIOThreadPool
    private let queued = Mutex(0)
    /// What a password is compared with where there is no account.
    private let decoy: String

    public init(cost: Cost = .standard) throws {
        self.cost = cost
        threads = NIOThreadPool(numberOfThreads: max(1, ProcessInfo.processInfo.activeProcessorCount / 2))
        threads.start()
        decoy = try Self.text(
            cost, salt: Data(repeating: 0, count: Self.saltBytes), hash: Data(repeating: 0, count: Self.hashBytes))
    }

    deinit {
        threads.shutdownGracefully { _ in }
    }

    public func hash(_ password: String) async throws -> String {
        let cost = cost
        return try await run {
            let salt = Data(SystemRandom().bytes(Self.saltBytes))
            return try Self.text(cost, salt: salt, hash: Self.derive(password, salt: salt, cost: cost))
        }
    }

    public func verify(_ password: String, against hash: String?) async throws -> Bool {
        let text = hash ?? decoy
        let matches = try await run {
            guard let (cost, salt, expected) = Self.parse(text) else { return false }
            return try Self.derive(password, salt: salt, cost: cost).equalsInConstantTime(expected)
        }
        return matches && hash != nil
    }

    private func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try queued.withLock { queued in
            guard queued < Self.queueBound else { throw OverloadError(retryAfterSeconds: 2) }
            queued += 1
        }
        defer { queued.withLock { $0 -= 1 } }
        return try await threads.runIfActive(body)
    }

    private static func derive(_ password: String, salt: Data, cost: Cost) throws -> Data {
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.precomposedStringWithCanonicalMapping.utf8), salt: salt,
            outputByteCount: hashBytes, rounds: 1 << cost.log2N, blockSize: cost.blockSize,
            parallelism: cost.parallelism)
        return key.withUnsafeBytes { Data($0) }
    }

    /// The PHC string format, so that the cost can rise later and old hashes stay readable.
    private static func text(_ cost: Cost, salt: Data, hash: Data) throws -> String {
        "$scrypt$ln=\(cost.log2N),r=\(cost.blockSize),p=\(cost.parallelism)$\(salt.base64URL)$\(hash.base64URL)"
    }

    private static func parse(_ text: String) -> (cost: Cost, salt: Data, hash: Data)? {
        let parts = text.split(separator: "$")
        guard parts.count == 4, parts[0] == "scrypt",
            let salt = Data(base64URL: parts[2]), let hash = Data(base64URL: parts[3])
        else { return nil }
        let numbers = parts[1].split(separator: ",").compactMap { Int($0.drop { $0 != "=" }.dropFirst()) }
        guard numbers.count == 3, (1...24).contains(numbers[0]) else { return nil }
        return (Cost(log2N: numbers[0], blockSize: numbers[1], parallelism: numbers[2]), salt, hash)
    }
}
