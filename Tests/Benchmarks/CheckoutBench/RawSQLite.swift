import Benchmarking
import Foundation
import GRDBSQLite
import PouchSandbox
import PouchStorage

/// The C API of SQLite on copies of the shop's file and of the ledger's, in WAL mode with full durability, one client.
struct RawSQLite: RawCheckouts {
    let name = "through SQLite's C API, one commit each"
    let aim = 1.0

    private let shopPath: String
    private let ledgerPath: String

    init(copyOf shop: BenchShop) async throws {
        shopPath = shop.folder.appending(path: "raw.sqlite").path
        ledgerPath = shop.folder.appending(path: "raw-ledger.sqlite").path
        let database = try SQLiteDatabase(path: String(shop.address.dropFirst("sqlite:".count)))
        try await database.backup(to: shopPath) { _, _ in }
        try await database.close()
        try await SandboxLedger(path: ledgerPath).close()
    }

    func run(_ statements: CheckoutStatements, by shoppers: Range<Int>, isHot: Bool) async throws -> Double {
        // Arguments are made before the clock starts.
        let checkouts = shoppers.map { number in
            let sku = isHot ? 0 : number % BenchShop.skus
            return [statements.prepare, [statements.charge], statements.finalize].map { transaction in
                transaction.map { ($0.sql, $0.arguments.map { $0.filled(number: number, sku: sku) }) }
            }
        }
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        let (shop, ledger) = (try Connection(shopPath), try Connection(ledgerPath))
                        let start = ContinuousClock.now
                        var count = 0
                        while count < checkouts.count, ContinuousClock.now - start < .seconds(Self.seconds) {
                            for (connection, transaction) in zip([shop, ledger, shop], checkouts[count]) {
                                try connection.commit(transaction)
                            }
                            count += 1
                        }
                        return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
                    })
            }
        }
    }

    func books() async throws -> [Int] {
        var counts: [Int] = []
        for (path, queries) in [(shopPath, RawBooks.shop), (ledgerPath, RawBooks.ledger)] {
            let database = try SQLiteDatabase(path: path)
            counts += try await database.read { connection in
                try queries.map { try connection.row($0, [])?.int(0) ?? 0 }
            }
            try await database.close()
        }
        return counts
    }

    private final class Connection {
        private var handle: OpaquePointer?
        private var statements: [String: OpaquePointer] = [:]

        init(_ path: String) throws {
            try check(sqlite3_open(path, &handle))
            try run("PRAGMA journal_mode = WAL")
            try run("PRAGMA synchronous = FULL")
        }

        deinit {
            for statement in statements.values { sqlite3_finalize(statement) }
            sqlite3_close(handle)
        }

        func commit(_ transaction: [(String, [SQLValue])]) throws {
            try run("BEGIN IMMEDIATE")
            for (sql, arguments) in transaction { try run(sql, arguments) }
            try run("COMMIT")
        }

        private func run(_ sql: String, _ arguments: [SQLValue] = []) throws {
            let statement = try prepared(sql)
            // Copied by SQLite, as the value may be gone before the statement has run.
            let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            for (index, argument) in arguments.enumerated() {
                let place = Int32(index + 1)
                switch argument {
                case .null: sqlite3_bind_null(statement, place)
                case .integer(let integer): sqlite3_bind_int64(statement, place, integer)
                case .text(let text): sqlite3_bind_text(statement, place, text, -1, copied)
                case .blob(let data):
                    data.withUnsafeBytes {
                        _ = sqlite3_bind_blob(statement, place, $0.baseAddress, Int32($0.count), copied)
                    }
                }
            }
            var result = sqlite3_step(statement)
            while result == SQLITE_ROW { result = sqlite3_step(statement) }
            guard result == SQLITE_DONE else { throw failure }
            sqlite3_reset(statement)
        }

        private func prepared(_ sql: String) throws -> OpaquePointer? {
            if let statement = statements[sql] { return statement }
            var statement: OpaquePointer?
            try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
            statements[sql] = statement
            return statement
        }

        private func check(_ result: Int32) throws {
            guard result == SQLITE_OK else { throw failure }
        }

        private var failure: BenchError { BenchError(String(cString: sqlite3_errmsg(handle))) }
    }
}

extension SQLValue {
    fileprivate func filled(number: Int, sku: Int) -> SQLValue {
        guard case .text(let text) = self else { return self }
        return .text(
            text.replacingOccurrences(of: CheckoutStatements.numberGap, with: "\(number)")
                .replacingOccurrences(of: CheckoutStatements.skuGap, with: "\(sku)"))
    }
}
