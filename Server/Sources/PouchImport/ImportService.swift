import Foundation
import PouchDomain
import PouchEntities

/// Imports feeds into the catalogue in short transactions that block no customer. Customers see the catalogue before or
/// after the import, never between.
///
///     let reader = try FeedFormat.shopifyCSV.reader(at: file, currency: .eur)
///     let report = try await ImportService(environment, store: store).run(reader)
public struct ImportService: Sendable {
    /// The time for which the report of an import is kept, in seconds.
    private static let memory: TimeInterval = 30 * 24 * 3600
    /// The interval at which a caller checks an import that another worker runs.
    private static let answerTime = Duration.milliseconds(50)

    private let environment: DomainEnvironment
    private let store: any ImportStore
    private let idempotency: Idempotency
    private let feedThread: (any SerialExecutor)?

    /// - Parameters:
    ///   - store: the environment's store.
    ///   - feedThread: reads the feeds, for example in a single-threaded simulation; nil for a new thread for each
    ///     feed.
    public init(_ environment: DomainEnvironment, store: any ImportStore, feedThread: (any SerialExecutor)? = nil) {
        self.environment = environment
        self.store = store
        self.feedThread = feedThread
        idempotency = Idempotency(time: environment.time)
    }

    /// Receives a feed and runs its import. Once the feed is received, other processes continue if this one dies.
    ///
    /// - Parameters:
    ///   - isDryRun: whether to report the changes without making them.
    ///   - progress: called after each batch.
    /// - Returns: the report, with the status `failed` if something other than the feed failed.
    /// - Throws: `FeedError` when the feed as a whole cannot be read, and the store's errors. The catalogue is then
    ///   unchanged.
    public func run(
        _ reader: any FeedReader, isDryRun: Bool = false, progress: @Sendable (FeedProgress) -> Void = { _ in }
    ) async throws -> ImportReport {
        let id = try await receive(reader, isDryRun: isDryRun, progress: progress)
        while true {
            let report = try await report(id: id)
            if let report, report.status != .running { return report }
            do {
                let hasWorked = try await ImportWorker(environment, store: store).work(preferring: id)
                if !hasWorked { try await Task.sleep(for: Self.answerTime) }
            } catch is ImportFailed {
                // The next round removes what was written.
            }
        }
    }

    /// Reads a feed and stages its records, after which any process can run the import; returns the import's id.
    ///
    /// - Throws: `FeedError` when the feed as a whole cannot be read, and the store's errors. The import has then
    ///   failed.
    public func receive(
        _ reader: any FeedReader, isDryRun: Bool = false, progress: @Sendable (FeedProgress) -> Void = { _ in }
    ) async throws -> String {
        let id = environment.ids.make(.import)
        let record = try await store.write { try create(id: id, isDryRun: isDryRun, in: $0) }
        try await stage(reader, record, progress: progress) { _ in }
        return record.id
    }

    /// Receives a feed for a request, which is answered once the feed is staged.
    ///
    /// - Parameters:
    ///   - request: nil without an idempotency key.
    ///   - answer: encodes the report, in the transaction that stores the answer.
    /// - Throws: `DomainError.unauthenticated` if the sender's session ended, even while the feed was received;
    ///   `.idempotencyKeyReused`, `.idempotencyKeyInUse`; `FeedError`, and the store's errors.
    public func receive(
        _ reader: any FeedReader, from principal: Principal, isDryRun: Bool, request: IdempotencyRecord.Request?,
        answer: @escaping @Sendable (ImportReport, any Repositories) throws -> StoredAnswer
    ) async throws -> StoredAnswer {
        let id = environment.ids.make(.import)
        let effect = try await store.write(for: principal) { repositories in
            try idempotency.effect(of: request, subjectId: id, in: repositories) {
                try create(id: id, isDryRun: isDryRun, in: repositories)
            }
        }
        return try await effect.finish { received in
            try await stage(reader, received) { repositories in
                try principal.checkSession(.readCommitted, in: repositories)
                guard let report = try report(id: received.id, in: repositories) else { throw ImportLost() }
                let answer = try answer(report, repositories)
                try idempotency.complete(request, answer: answer, in: repositories)
                return answer
            }
        }
    }

    private func create(id: String, isDryRun: Bool, in repositories: any ImportRepositories) throws -> ImportRecord {
        let record = ImportRecord(id: id, isDryRun: isDryRun)
        let now = environment.time.now
        try repositories.imports.purge(before: now.addingTimeInterval(-Self.memory))
        try repositories.imports.create(record, at: now)
        return record
    }

    /// - Parameter end: runs in the last transaction of receiving.
    private func stage<End: Sendable>(
        _ reader: any FeedReader, _ record: ImportRecord,
        progress: @Sendable (FeedProgress) -> Void = { _ in },
        end: @escaping @Sendable (any ImportRepositories) throws -> End
    ) async throws -> End {
        do {
            return try await ImportStager(record: record, environment: environment, store: store)
                .stage(FeedStream(reader, on: feedThread), progress: progress, end: end)
        } catch {
            try? await ImportWorker(environment, store: store).giveUp(record, because: error)
            throw error
        }
    }

    /// Runs waiting imports, including those of dead processes, and abandons those that were never completely received.
    /// Returns whether there was one; throws `ImportFailed`, and the store's errors.
    public func resume() async throws -> Bool {
        let worker = ImportWorker(environment, store: store)
        try await worker.giveUpAbandoned()
        return try await worker.work(preferring: nil)
    }

    /// The time at which `resume()` will have work; nil while there is no unfinished import.
    public func nextDue(in repositories: any ImportRepositories) throws -> Date? {
        try ImportWorker(environment, store: store).nextDue(in: repositories)
    }

    /// - Returns: nil for an import that is unknown or was deleted.
    public func report(id: String) async throws -> ImportReport? {
        try await store.read { try report(id: id, in: $0) }
    }

    /// - Returns: nil for an import that is unknown or was deleted.
    public func report(id: String, in repositories: any ImportRepositories) throws -> ImportReport? {
        guard let record = try repositories.imports.record(id: id) else { return nil }
        var report = record.report
        if record.phase != .ended { report.status = .running }
        let reports = try repositories.imports.reports(id: id)
        report.errors = reports.filter { !$0.isNote }
        report.notes = reports.filter(\.isNote)
        return report
    }
}

/// Stages the records of a feed while reading it.
struct ImportStager: Sendable {
    /// The number of records in one transaction.
    private static let batch = 200

    let record: ImportRecord
    let environment: DomainEnvironment
    let store: any ImportStore

    /// - Parameter end: runs in the last transaction of receiving.
    /// - Throws: `ImportLost` when the import counted as dead.
    func stage<End: Sendable>(
        _ stream: FeedStream, progress: @Sendable (FeedProgress) -> Void,
        end: @escaping @Sendable (any ImportRepositories) throws -> End
    ) async throws -> End {
        var record = record
        var position = 0
        // Reads the next batch while the previous one is written.
        async let first = stream.next(Self.batch)
        var records = try await first
        while !records.isEmpty {
            try Task.checkCancellation()
            async let next = stream.next(Self.batch)
            var staged: [StagedRecord] = []
            var reports: [FeedRowError] = []
            for found in records {
                switch found {
                case .season(let season): staged.append(.season(season))
                case .theme(let theme): staged.append(.theme(theme))
                case .product(let product): staged.append(.product(product))
                case .promotion(let promotion): staged.append(.promotion(promotion))
                case .bad(let report): reports.append(report)
                case .asset(let asset):
                    // Loads one file at a time, to keep only one in memory.
                    let file = try await stream.load(asset, digests: environment.digests)
                    try await write { [id = record.id] in try $0.imports.stage(id: id, asset: file) }
                }
            }
            let (batch, from, kept) = (staged, position, record.report.count(reports))
            try await write { [id = record.id] repositories in
                try repositories.imports.stage(id: id, records: batch, from: from)
                try repositories.imports.add(kept, to: id)
            }
            position += staged.count
            progress(await stream.progress)
            records = try await next
        }
        let last = await stream.progress
        record.report.rows = last.rows
        record.enter(.comparing)
        let ended = try await write { [time = environment.time, record] repositories in
            try repositories.imports.save(record, at: time.now)
            return try end(repositories)
        }
        progress(last)
        return ended
    }

    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (any ImportRepositories) throws -> Value
    ) async throws -> Value {
        try await store.write(.readCommitted) { [time = environment.time, id = record.id] repositories in
            guard try repositories.imports.touch(id: id, at: time.now) else { throw ImportLost() }
            return try body(repositories)
        }
    }
}
