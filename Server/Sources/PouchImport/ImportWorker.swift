import Foundation
import PouchDomain
import PouchEntities

/// Runs imports, one at a time in the whole shop, in short transactions that renew the lease and record the progress.
struct ImportWorker: Sendable {
    /// The time after which a worker that has not renewed its lease counts as dead.
    static let leaseTime: TimeInterval = 5
    /// The time after which an inactive import that is being received counts as dead.
    private static let abandonment: TimeInterval = 5 * 60

    private let environment: DomainEnvironment
    private let store: any ImportStore
    private let holder: String

    init(_ environment: DomainEnvironment, store: any ImportStore) {
        self.environment = environment
        self.store = store
        holder = Data(environment.random.bytes(16)).base64EncodedString()
    }

    /// The time at which an import can be run or abandoned.
    func nextDue(in repositories: any ImportRepositories) throws -> Date? {
        let lease = try repositories.imports.lease()
        let isWaiting = try lease.importId != nil || repositories.imports.unfinished() != nil
        let runs = isWaiting ? (lease.holder == nil ? Date.distantPast : lease.expiresAt) : nil
        let isGivenUp = try repositories.imports.leastActive()?.addingTimeInterval(Self.abandonment)
        return [runs, isGivenUp].compactMap(\.self).min()
    }

    // MARK: The lease

    /// Runs one import to its end: the import of a dead worker, else the preferred one, else the oldest. Returns false
    /// when there is none, or another worker is running one.
    func work(preferring preferred: String?) async throws -> Bool {
        guard let id = try await take(preferring: preferred) else { return false }
        do {
            while try await step(id) { try Task.checkCancellation() }
        } catch is ImportLost {
        } catch {
            try await leave(id, because: error)
        }
        return true
    }

    private func take(preferring preferred: String?) async throws -> String? {
        let now = environment.time.now
        let candidate = try await store.read { repositories -> String? in
            let lease = try repositories.imports.lease()
            if let id = lease.importId { return lease.holder == nil || lease.expiresAt < now ? id : nil }
            return try preferred ?? repositories.imports.unfinished()
        }
        guard let candidate else { return nil }
        let (holder, until) = (holder, now.addingTimeInterval(Self.leaseTime))
        let isTaken = try await store.write {
            try $0.imports.takeLease(of: candidate, for: holder, until: until, at: now)
        }
        return isTaken ? candidate : nil
    }

    /// Leaves a temporary failure to the next worker; withdraws the import after any other failure, which would recur.
    private func leave(_ id: String, because error: any Error) async throws {
        let isPassing =
            switch error {
            case is CancellationError, is OverloadError, is TransactionConflict, is UnavailableError,
                is CommitUnknownError:
                true
            default: false
            }
        let hasFailed = try await store.write { [holder, time = environment.time] repositories -> Bool in
            let imports = repositories.imports
            try imports.leaveLease(of: id, holder: holder)
            guard !isPassing, var record = try imports.record(id: id), record.fails() else { return false }
            try imports.save(record, at: time.now)
            return true
        }
        throw hasFailed ? ImportFailed(importId: id, cause: error) : error
    }

    // MARK: Imports that cannot be received

    func giveUpAbandoned() async throws {
        let before = environment.time.now.addingTimeInterval(-Self.abandonment)
        for record in try await store.read({ try $0.imports.abandoned(before: before) }) {
            try await giveUp(record, because: nil)
        }
    }

    /// Ends an import whose feed was not received, and deletes what is staged.
    func giveUp(_ record: ImportRecord, because error: (any Error)?) async throws {
        let detail = (error as? FeedError)?.description ?? "The feed was not completely received. Send it again."
        let ended = try await store.write { [time = environment.time] repositories -> Bool in
            let imports = repositories.imports
            guard var record = try imports.record(id: record.id), record.phase == .receiving else { return false }
            try imports.add(
                record.report.count([FeedRowError(line: 0, code: .malformed, detail: detail)]), to: record.id)
            record.report.status = .failed
            record.enter(.tidying)
            try imports.save(record, at: time.now)
            // The client may send the feed again with the same key.
            try repositories.idempotency.deleteRunning(subjectId: record.id)
            return true
        }
        guard ended else { return }
        while try await store.write({ try $0.imports.tidy(id: record.id) }) {}
        try await store.write { [environment] repositories in
            guard var record = try repositories.imports.record(id: record.id) else { return }
            record.enter(.ended)
            // A worker may have ended it.
            guard try repositories.imports.save(record, at: environment.time.now) else { return }
            try environment.events.append(record, in: repositories)
        }
    }

    // MARK: Steps

    private func step(_ id: String) async throws -> Bool {
        let environment = environment
        let (record, comparison) = try await store.read { repositories in
            let record = try repositories.imports.record(id: id)
            // The comparison runs on a reader, not on the writer.
            let comparison =
                if let record, record.phase == .comparing, record.revision > 0 {
                    try CatalogComparison(record, in: repositories, environment: environment)
                } else { nil as CatalogComparison? }
            return (record, comparison)
        }
        guard let record, record.phase != .ended else {
            try await store.write { try $0.imports.endLease(of: id) }
            return false
        }
        // The lease excludes other workers, and the rows that customers read must not conflict with what is written
        // here.
        try await store.write(.readCommitted) { [holder] repositories in
            let (imports, now) = (repositories.imports, environment.time.now)
            let until = now.addingTimeInterval(Self.leaseTime)
            guard try imports.renewLease(of: id, for: holder, until: until) else { throw ImportLost() }
            // The lease does not exclude the process that received the import and gives it up. The next step sees what
            // that process has written.
            guard var current = try imports.record(id: id), current == record else { return }
            try current.advance(with: comparison, in: repositories, at: now)
            guard try imports.save(current, at: now), current.phase == .ended else { return }
            try imports.endLease(of: id)
            try environment.events.append(current, in: repositories)
        }
        return true
    }
}

extension ImportRecord {
    /// - Returns: false when it is too late to fail.
    fileprivate mutating func fails() -> Bool {
        guard [.comparing, .filing, .publishing].contains(phase) else { return false }
        report.status = .failed
        enter(.withdrawing)
        return true
    }

    /// Runs one short step within the phase, or moves to the next phase.
    fileprivate mutating func advance(
        with comparison: CatalogComparison?, in repositories: any ImportRepositories, at now: Date
    ) throws {
        let imports = repositories.imports
        switch phase {
        case .receiving, .ended: break
        case .comparing:
            guard let comparison else {
                revision = try imports.nextRevision()
                return
            }
            if comparison.position == nil {
                enter(report.status == .dryRun ? .withdrawing : .filing)
            } else {
                try comparison.write(to: &self, in: imports)
            }
        case .filing:
            let (changed, isMore) = try imports.publishAssets(id: id)
            hasChanges = hasChanges || changed > 0
            guard !isMore else { return }
            try imports.refreshStatistics()
            enter(.publishing)
        case .publishing:
            try publish(in: repositories)
            enter(.stocking)
        case .stocking:
            let last = try imports.setStock(revision: revision, after: cursor, at: now)
            if let last { cursor = last } else { enter(.superseding) }
        case .superseding:
            let last = try imports.supersede(revision: revision, after: cursor)
            if let last { cursor = last } else { enter(.tidying) }
        case .withdrawing:
            if try !imports.withdraw(revision: revision) { enter(.tidying) }
        case .tidying:
            if try !imports.tidy(id: id) { enter(.ended) }
        }
    }

    private mutating func publish(in repositories: any ImportRepositories) throws {
        let imports = repositories.imports
        var promoted: [CatalogContent.PromotedProduct] = []
        for change in try imports.changes(id: id) {
            switch change {
            case .season(let season): if try imports.save(season) { hasChanges = true }
            case .theme(let theme): if try imports.save(theme) { hasChanges = true }
            case .category(let id, let name): if try imports.saveCategory(id: id, name: name) { hasChanges = true }
            case .promotion(let promotion): promoted.append(promotion)
            }
        }
        if promotions != nil, try imports.promotions() != promoted {
            try imports.replacePromotions(promoted)
            hasChanges = true
        }
        try imports.publish(revision: revision)
        if hasChanges { try repositories.catalog.raiseVersion(changing: .ofRevision(revision)) }
    }
}
