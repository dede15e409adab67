import Foundation
import PouchDomain
import PouchEntities
import PouchFeed

/// Brings a feed into the catalogue without holding anybody up: every transaction is short, and customers see the
/// catalogue before the import or after it and nothing between.
public struct ImportService: Sendable {
    /// How long what became of an import can be asked.
    private static let memory: TimeInterval = 30 * 24 * 3600
    /// How often somebody who waits for another import looks.
    private static let patience = Duration.milliseconds(50)

    private let environment: DomainEnvironment
    private let store: any ImportStore
    private let idempotency: Idempotency

    /// - Parameter store: the same store as in the environment.
    public init(_ environment: DomainEnvironment, store: any ImportStore) {
        self.environment = environment
        self.store = store
        idempotency = Idempotency(time: environment.time)
    }

    /// Receives the feed and carries the import out. Once the feed is received, a process that dies leaves the import to
    /// others.
    ///
    /// - Parameters:
    ///   - isDryRun: whether to find out what would change, and change nothing.
    ///   - progress: called after each batch that is read.
    /// - Returns: the report, with the status `failed` where something other than the feed was to blame.
    /// - Throws: `FeedError` when the feed as a whole cannot be read, and what the store throws; the catalogue is then as
    ///   it was.
    public func run(
        _ reader: any FeedReader, isDryRun: Bool = false, progress: @Sendable (FeedProgress) -> Void = { _ in }
    ) async throws -> ImportReport {
        let id = try await receive(reader, isDryRun: isDryRun, progress: progress)
        while true {
            let report = try await report(id: id)
            if let report, report.status != .running { return report }
            do {
                let hasWorked = try await ImportWorker(environment, store: store).work(preferring: id)
                if !hasWorked { try await Task.sleep(for: Self.patience) }
            } catch is ImportFailed {
                // What is written of it is still to be removed.
            }
        }
    }

    /// Reads the feed and stages its records, after which any process can carry the import out.
    ///
    /// - Returns: the import's id.
    /// - Throws: `FeedError` when the feed as a whole cannot be read, and what the store throws; the import has failed
    ///   then.
    public func receive(
        _ reader: any FeedReader, isDryRun: Bool = false, progress: @Sendable (FeedProgress) -> Void = { _ in }
    ) async throws -> String {
        let id = environment.ids.make(.import)
        let record = try await store.write { try create(id: id, isDryRun: isDryRun, in: $0) }
        try await stage(reader, record, progress: progress) { _ in }
        return record.id
    }

    /// The same for a request, which has its answer once the feed is received.
    ///
    /// - Parameters:
    ///   - request: nil without an idempotency key.
    ///   - answer: tells how far the import is.
    /// - Throws: `DomainError.idempotencyKeyReused`, `.idempotencyKeyInUse`; `FeedError`, and what the store throws.
    public func receive(
        _ reader: any FeedReader, isDryRun: Bool, request: IdempotencyRecord.Request?,
        answer: @escaping @Sendable (ImportReport) throws -> StoredAnswer
    ) async throws -> IdempotentAnswer {
        let id = environment.ids.make(.import)
        let effect = try await store.write { repositories in
            try idempotency.effect(of: request, orderId: id, in: repositories) {
                try create(id: id, isDryRun: isDryRun, in: repositories)
            }
        }
        return try await effect.finish { record in
            try await stage(reader, record) { repositories in
                guard let report = try report(id: record.id, in: repositories) else { throw ImportLost() }
                let answer = try answer(report)
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

    /// - Parameter end: belongs to the transaction with which the feed is received.
    private func stage<End: Sendable>(
        _ reader: any FeedReader, _ record: ImportRecord,
        progress: @Sendable (FeedProgress) -> Void = { _ in },
        end: @escaping @Sendable (any ImportRepositories) throws -> End
    ) async throws -> End {
        let stager = ImportStager(record, environment, store: store)
        do {
            return try await stager.stage(FeedStream(reader), progress: progress, end: end)
        } catch {
            let worker = ImportWorker(environment, store: store)
            try? await worker.giveUp(record, because: error)
            throw error
        }
    }

    /// Carries out what others left: imports that wait, whose process died, or that were never received as a whole.
    ///
    /// - Returns: whether there was something to do.
    /// - Throws: `ImportFailed`, and what the store throws.
    public func resume() async throws -> Bool {
        let worker = ImportWorker(environment, store: store)
        try await worker.giveUpAbandoned()
        return try await worker.work(preferring: nil)
    }

    /// - Returns: nil for an import that is not known, or no longer.
    public func report(id: String) async throws -> ImportReport? {
        try await store.read { try report(id: id, in: $0) }
    }

    /// - Returns: nil for an import that is not known, or no longer.
    public func report(id: String, in repositories: any ImportRepositories) throws -> ImportReport? {
        guard let record = try repositories.imports.record(id: id) else { return nil }
        var report = record.report
        if record.phase != .ended { report.status = .running }
        report.errors = try repositories.imports.errors(id: id)
        return report
    }
}
