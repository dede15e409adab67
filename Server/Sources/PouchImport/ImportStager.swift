import Foundation
import PouchDomain

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
