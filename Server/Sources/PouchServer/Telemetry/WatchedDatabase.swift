import CoreMetrics
import Metrics
import PouchDomain
import PouchTelemetry
import PouchStorage
import Synchronization

/// Measures and traces the transactions of a database.
///
/// Within a recorded span, each transaction has a span, and each of its statements has one with the statement's name,
/// such as `UPDATE stock`. No span contains an argument. The work of a statement that is sent without waiting is part
/// of the next span.
struct WatchedDatabase: Database {
    private let database: any Database
    private let tracer: SpanTracer?
    private let reads: Meters
    private let writes: Meters

    init(_ database: any Database, metrics: any MetricsFactory, tracer: SpanTracer?) {
        self.database = database
        self.tracer = tracer
        reads = Meters("read", metrics)
        writes = Meters("write", metrics)
    }

    func read<Value: Sendable>(_ body: @escaping SQLTransaction<Value>) async throws -> Value {
        try await watch("read", reads, body) { try await database.read($0) }
    }

    func write<Value: Sendable>(_ isolation: Isolation, _ body: @escaping SQLTransaction<Value>) async throws -> Value {
        try await watch("write", writes, body) { try await database.write(isolation, $0) }
    }

    func notifications() -> AsyncStream<DatabaseNotification> { database.notifications() }

    func close() async throws { try await database.close() }

    private func watch<Value: Sendable>(
        _ name: String, _ meters: Meters, _ body: @escaping SQLTransaction<Value>,
        _ transact: (@escaping SQLTransaction<Value>) async throws -> Value
    ) async throws -> Value {
        let turn = Turn(meters)
        let span = SpanTracer.isRecording ? tracer?.startSpan("transaction \(name)", .client) : nil
        let (tracer, trace) = (tracer, span?.trace)
        do {
            let value = try await transact { connection in
                turn.begin()
                defer { turn.pause() }
                guard let tracer, let trace else { return try body(connection) }
                return try body(TracedConnection(connection, tracer, trace))
            }
            turn.end(nil)
            span?.end()
            return value
        } catch {
            turn.end(error)
            span?.fail(error)
            span?.end()
            throw error
        }
    }

    /// The metrics of the transactions of one kind.
    fileprivate struct Meters: Sendable {
        let waiting: Meter
        let running: Meter
        let waits: CoreMetrics.Timer
        let durations: CoreMetrics.Timer
        let (done, overloaded, unavailable, failed): (Counter, Counter, Counter, Counter)

        init(_ kind: String, _ metrics: any MetricsFactory) {
            let kind = ("kind", kind)
            waiting = Meter(label: "pouch_database_waiting", dimensions: [kind], factory: metrics)
            running = Meter(label: "pouch_database_running", dimensions: [kind], factory: metrics)
            waits = CoreMetrics.Timer(
                label: "pouch_database_wait_duration_seconds", dimensions: [kind], factory: metrics)
            durations = CoreMetrics.Timer(
                label: "pouch_database_transaction_duration_seconds", dimensions: [kind], factory: metrics)
            func counter(_ outcome: String) -> Counter {
                Counter(
                    label: "pouch_database_transactions_total", dimensions: [kind, ("outcome", outcome)],
                    factory: metrics)
            }
            done = counter("done")
            overloaded = counter("overloaded")
            unavailable = counter("unavailable")
            failed = counter("failed")
        }
    }

    /// A transaction that waits, then runs, possibly several times.
    private final class Turn: Sendable {
        private let meters: Meters
        private let start = ContinuousClock.now
        private let hasBegun = Atomic(false)

        init(_ meters: Meters) {
            self.meters = meters
            meters.waiting.increment()
        }

        func begin() {
            if !hasBegun.exchange(true, ordering: .relaxed) {
                meters.waiting.decrement()
                meters.waits.record(duration: ContinuousClock.now - start)
            }
            meters.running.increment()
        }

        func pause() { meters.running.decrement() }

        func end(_ error: (any Error)?) {
            if !hasBegun.load(ordering: .relaxed) { meters.waiting.decrement() }
            meters.durations.record(duration: ContinuousClock.now - start)
            switch error {
            case nil: meters.done.increment()
            case is OverloadError: meters.overloaded.increment()
            case is UnavailableError, is CommitUnknownError: meters.unavailable.increment()
            // Refusals by the shop's rules also count here, such as for a sold-out product.
            default: meters.failed.increment()
            }
        }
    }
}

/// A connection whose statements have spans, up to a limit for each transaction.
private final class TracedConnection: SQLConnection {
    private static let spanBound = 64

    private let connection: any SQLConnection
    private let tracer: SpanTracer
    private let trace: TraceContext
    private var spans = 0

    init(_ connection: any SQLConnection, _ tracer: SpanTracer, _ trace: TraceContext) {
        self.connection = connection
        self.tracer = tracer
        self.trace = trace
    }

    var dialect: SQLDialect { connection.dialect }

    func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try traced(sql) { try connection.run(sql, arguments) }
    }

    func send(_ sql: String, _ arguments: [SQLValue]) throws {
        try traced(sql) { try connection.send(sql, arguments) }
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
        try traced(sql) { try connection.rows(sql, arguments) }
    }

    func script(_ sql: String) throws { try connection.script(sql) }

    func notify(_ text: String, _ reach: NotificationReach) throws { try connection.notify(text, reach) }

    private func traced<Value>(_ sql: String, _ work: () throws -> Value) throws -> Value {
        guard spans < Self.spanBound else { return try work() }
        spans += 1
        let span = tracer.startSpan(StatementName(sql).text, .client, in: trace)
        defer { span.end() }
        do { return try work() } catch {
            span.fail(error)
            throw error
        }
    }
}

/// The verb of a statement and its table: `INSERT orders`.
///
/// The statement is read up to the table, and as bytes: reading the characters of a long statement takes longer than
/// running it.
struct StatementName {
    let text: String

    init(_ sql: String) {
        var rest = sql.utf8[...]
        func nextWord() -> Substring.UTF8View {
            rest = rest.drop(while: Self.isSeparator)
            let word = rest.prefix { !Self.isSeparator($0) }
            rest = rest[word.endIndex...]
            return word
        }
        let first = nextWord()
        var word = first
        while !word.isEmpty, !Self.marks.contains(where: { word.elementsEqual($0.utf8) }) { word = nextWord() }
        let table = nextWord()
        let verb = String(Substring(first)).uppercased()
        let isName = !table.isEmpty && table.allSatisfy { $0 == 0x5F || (0x61...0x7A).contains($0) }
        text = isName ? "\(verb) \(Substring(table))" : verb
    }

    /// The words before the name of a table.
    private static let marks = ["FROM", "INTO", "UPDATE"]

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x28 || byte == 0x29 || byte == 0x2C
    }
}
