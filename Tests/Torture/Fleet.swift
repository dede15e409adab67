import Foundation
import SeededRandom
import Subprocess
import SystemPackage

/// The servers of one shop, and the payment provider, in a process each.
struct Fleet: Sendable {
    let shops: [ServedProgram]
    let provider: ServedProgram

    /// Starts them.
    ///
    /// - Parameters:
    ///   - executable: pouch-server.
    ///   - options: of the shops, beyond what is said otherwise.
    static func start(
        _ executable: FilePath, database: String, shops count: Int, options: [String] = [], folder: URL
    ) async throws -> Fleet {
        func program(_ name: String, _ arguments: [String]) -> ServedProgram {
            ServedProgram(
                executable, arguments + ["--log-level", "error"],
                log: FilePath(folder.appending(path: name + ".log").path))
        }
        let ledger = folder.appending(path: "ledger.sqlite").path
        // Below the ports that the system gives to connections, since the provider has to come back on the same one.
        var provider: ServedProgram?
        var address = ""
        for _ in 0..<20 where provider == nil {
            let port = Int.random(in: 20_000..<30_000)
            let candidate = program(
                "provider", ["sandbox-payments", "--port", "\(port)", "--ledger", ledger])
            if (try? await candidate.start()) != nil {
                provider = candidate
                address = "http://127.0.0.1:\(port)"
            }
        }
        guard let provider else { throw ServedProgram.DidNotStart(arguments: ["sandbox-payments"]) }
        let shops = (1...count).map { number in
            program(
                "shop-\(number)",
                ["serve", "--port", "0", "--database", database, "--payments", address] + options)
        }
        for shop in shops { try await shop.start() }
        return Fleet(shops: shops, provider: provider)
    }

    /// Kills programs, and starts them again.
    static func kill(_ victims: [ServedProgram]) async throws {
        for victim in victims { try await victim.end(.kill) }
        try await withThrowingDiscardingTaskGroup { group in
            for victim in victims { group.addTask { try await victim.start() } }
        }
    }

    /// The address of a shop, if the one that chance fell on is there.
    func shop(_ random: inout SplitMix64) async -> String? {
        guard let shop = shops.randomElement(using: &random), let port = await shop.port else { return nil }
        return "http://127.0.0.1:\(port)"
    }

    func end(_ signal: Signal = .terminate) async throws {
        for program in shops + [provider] { try await program.end(signal) }
    }
}
