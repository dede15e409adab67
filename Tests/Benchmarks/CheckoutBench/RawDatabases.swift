import GRDBSQLite
import PouchSandbox
import ShopBenching

/// Checkouts of one client through the C API of SQLite, on copies of the shop's file and of the ledger, in WAL mode
/// with full durability.
struct RawSQLite: RawCheckouts {
    let name = "through SQLite's C API, one commit each"
    let goal = 1.0

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
        // Prepares the arguments before the clock starts.
        let checkouts = shoppers.map { number in
            let sku = isHot ? 0 : number % BenchShop.skus
            return statements.transactions.map { transaction in
                transaction.map { ($0.sql, $0.arguments.map { $0.filled(number: number, sku: sku) }) }
            }
        }
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try rate(of: checkouts) }) }
        }
    }

    private func rate(of checkouts: [[[(String, [SQLValue])]]]) throws -> Double {
        let (shop, ledger) = (try Connection(shopPath), try Connection(ledgerPath))
        let start = ContinuousClock.now
        var count = 0
        while count < checkouts.count, start.elapsedSeconds < Double(Self.seconds) {
            for (connection, transaction) in zip([shop, ledger, shop], checkouts[count]) {
                try connection.commit(transaction)
            }
            count += 1
        }
        return Double(count) / start.elapsedSeconds
    }

    func books() async throws -> [Int] {
        var counts: [Int] = []
        for (path, queries) in [(shopPath, RawBooks.shop), (ledgerPath, RawBooks.ledger)] {
            counts += try await DatabaseAddress(path: path).read { connection in
                try queries.map { try connection.row($0, [])?.int(0) ?? 0 }
            }
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
            // SQLite copies the value, which may be freed before the statement runs.
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

        private func check(_ result: Int32) throws { if result != SQLITE_OK { throw failure } }
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

/// Checkouts with pgbench, with as many clients as the server has, on a copy of the shop's database. The charge is a
/// third transaction there.
struct RawPostgres: RawCheckouts {
    let name = "with pgbench and as many clients"
    let goal = 0.7

    private let address: String
    private let folder: URL

    /// The maximum number of checkouts of each client.
    private static let count = BenchShop.shoppersPerRound / BenchShop.clients

    init(copyOf shop: BenchShop, on server: String) async throws {
        folder = shop.folder
        let source = URLComponents(string: shop.address)?.path.dropFirst() ?? ""
        let database = source + "_raw"
        var components = URLComponents(string: server)
        components?.path = "/" + database
        address = components?.string ?? server
        // Both databases have statistics, as on a server that has run for a while.
        try await Program.psql(shop.address, "VACUUM ANALYZE")
        try await Program.psql(server, "CREATE DATABASE \"\(database)\" TEMPLATE \"\(source)\"")
        try await Program.psql(
            address,
            """
            CREATE TABLE charges (
                key TEXT PRIMARY KEY, request TEXT, status TEXT NOT NULL, decline_code TEXT, amount BIGINT NOT NULL,
                currency TEXT, captured BIGINT NOT NULL, refunded BIGINT NOT NULL, created_at BIGINT
            )
            """)
    }

    func run(_ statements: CheckoutStatements, by shoppers: Range<Int>, isHot: Bool) async throws -> Double {
        let script = folder.appending(path: "checkout.sql")
        var lines = [
            "\\set number :first + :client_id * \(Self.count) + :i", "\\set i :i + 1",
            "\\set sku \(isHot ? "0" : ":number % \(BenchShop.skus)")",
        ]
        for transaction in statements.transactions {
            lines += ["BEGIN;"] + transaction.map { Self.text($0) + ";" } + ["COMMIT;"]
        }
        try lines.joined(separator: "\n").write(to: script, atomically: true, encoding: .utf8)
        let output = try await Program.run(
            "pgbench",
            [
                "-n", "-M", "prepared", "-c", "\(BenchShop.clients)", "-j", "2", "-T", "\(Self.seconds)",
                "-D", "i=0", "-D", "first=\(shoppers.lowerBound)", "-f", script.path, address,
            ])
        return try output.numbers(ofLine: "tps = ")[0]
    }

    func books() async throws -> [Int] {
        let sql = (RawBooks.shop + RawBooks.ledger).joined(separator: "; ")
        return try await Program.psql(address, sql).split(separator: "\n").compactMap { Int($0) }
    }

    /// Returns the statement with its arguments as literals.
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
                if index % 2 == 1 { return ":\(piece)" }
                // pgbench reads a colon before a letter as a variable.
                let text = piece.replacing("\\", with: "\\\\").replacing("'", with: "''").replacing(":", with: "\\x3a")
                return "E'\(text)'"
            }
            return literals.count == 1 ? literals[0] : "(" + literals.joined(separator: " || ") + ")"
        }
    }
}
