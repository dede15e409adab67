import Benchmarking
import Foundation
import PouchStorage

/// pgbench, with as many clients as the server has, on a copy of the shop's database; the charge is a third transaction
/// there.
struct RawPostgres: RawCheckouts {
    let name = "with pgbench, as many clients"
    let aim = 0.35

    private let address: String
    private let folder: URL

    /// The most checkouts of each client.
    private static let count = BenchShop.shoppersPerRound / CheckoutBench.clients

    init(copyOf shop: BenchShop, on server: String) async throws {
        folder = shop.folder
        let source = shop.folder.lastPathComponent.lowercased()
        let database = source + "-raw"
        var components = URLComponents(string: server)
        components?.path = "/" + database
        address = components?.string ?? server
        // Both have the statistics that a server which has run for a while has.
        _ = try await Program.run("psql", ["-Xq", "-d", shop.address, "-c", "VACUUM ANALYZE"])
        _ = try await Program.run(
            "psql", ["-Xq", "-d", server, "-c", "CREATE DATABASE \"\(database)\" TEMPLATE \"\(source)\""])
        _ = try await Program.run(
            "psql",
            [
                "-Xq", "-d", address, "-c",
                """
                CREATE TABLE charges (
                    key TEXT PRIMARY KEY, request TEXT, status TEXT NOT NULL, decline_code TEXT,
                    amount BIGINT NOT NULL, currency TEXT, captured BIGINT NOT NULL, refunded BIGINT NOT NULL,
                    created_at BIGINT
                )
                """,
            ])
    }

    func run(_ statements: CheckoutStatements, by shoppers: Range<Int>, isHot: Bool) async throws -> Double {
        let script = folder.appending(path: "checkout.sql")
        var lines = [
            "\\set number :first + :client_id * \(Self.count) + :i",
            "\\set i :i + 1",
            "\\set sku \(isHot ? "0" : ":number % \(BenchShop.skus)")",
        ]
        for transaction in [statements.prepare, [statements.charge], statements.finalize] {
            lines += ["BEGIN;"] + transaction.map { Self.text($0) + ";" } + ["COMMIT;"]
        }
        try lines.joined(separator: "\n").write(to: script, atomically: true, encoding: .utf8)
        let output = try await Program.run(
            "pgbench",
            [
                "-n", "-M", "prepared", "-c", "\(CheckoutBench.clients)", "-j", "2", "-T", "\(Self.seconds)",
                "-D", "i=0", "-D", "first=\(shoppers.lowerBound)", "-f", script.path, address,
            ])
        guard let line = output.split(separator: "\n").first(where: { $0.hasPrefix("tps = ") }),
            let rate = line.split(separator: " ").dropFirst(2).first.flatMap({ Double($0) })
        else { throw BenchError("pgbench said: \(output)") }
        return rate
    }

    func books() async throws -> [Int] {
        let sql = (RawBooks.shop + RawBooks.ledger).joined(separator: "; ")
        return try await Program.run("psql", ["-XAtq", "-d", address, "-c", sql])
            .split(separator: "\n").compactMap { Int($0) }
    }

    /// The statement with its arguments in their places.
    private static func text(_ statement: CheckoutStatements.Statement) -> String {
        let parts = statement.sql.replacingOccurrences(of: "\n", with: " ").components(separatedBy: "?")
        return zip(parts, statement.arguments.map(literal) + [""]).map { $0 + $1 }.joined()
    }

    private static func literal(_ value: SQLValue) -> String {
        switch value {
        case .null: return "NULL"
        case .integer(let integer): return "\(integer)"
        case .blob(let data): return "'\\x" + data.map { String(format: "%02x", $0) }.joined() + "'"
        case .text(let text):
            let pieces = text.replacingOccurrences(of: CheckoutStatements.numberGap, with: "\u{0}number\u{0}")
                .replacingOccurrences(of: CheckoutStatements.skuGap, with: "\u{0}sku\u{0}")
                .components(separatedBy: "\u{0}")
            let literals = pieces.enumerated().map { index, piece in
                // pgbench takes a colon before a letter for a variable.
                index % 2 == 1
                    ? ":\(piece)"
                    : "E'"
                        + piece.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "'", with: "''")
                        .replacingOccurrences(of: ":", with: "\\x3a") + "'"
            }
            return literals.count == 1 ? literals[0] : "(" + literals.joined(separator: " || ") + ")"
        }
    }
}
