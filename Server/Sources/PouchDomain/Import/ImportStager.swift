import Foundation

/// Stages the records of a feed while it is read.
struct ImportStager: Sendable {
    /// Records of one transaction.
    private static let batch = 200

    private let record: ImportRecord
    private let environment: DomainEnvironment

    init(_ record: ImportRecord, environment: DomainEnvironment) {
        self.record = record
        self.environment = environment
    }

    /// - Throws: `ImportLost` when others took the import for dead.
    func stage(_ stream: FeedStream, progress: @Sendable (FeedProgress) -> Void) async throws {
        var record = record
        var position = 0
        // The next batch is read while the one before is written.
        async let first = stream.next(Self.batch)
        var records = try await first
        while !records.isEmpty {
            try Task.checkCancellation()
            async let next = stream.next(Self.batch)
            var staged: [StagedRecord] = []
            var errors: [FeedRowError] = []
            for record in records {
                switch record {
                case .season(let season): staged.append(.season(season))
                case .theme(let theme): staged.append(.theme(theme))
                case .product(let product): staged.append(.product(product))
                case .promotion(let promotion): staged.append(.promotion(promotion))
                case .bad(let error): errors.append(error)
                case .asset(let asset): try await stage(asset)
                }
            }
            let (batch, from, bad, failed) = (staged, position, errors, record.report.failed)
            try await write { [id = record.id] imports in
                try imports.stage(id: id, records: batch, from: from)
                try imports.add(bad, from: failed, to: id)
            }
            position += staged.count
            record.report.failed += errors.count
            progress(await stream.progress)
            records = try await next
        }
        let end = await stream.progress
        record.report.rows = end.rows
        record.enter(.comparing)
        try await write { [time = environment.time, record] in try $0.save(record, at: time.now) }
        progress(end)
    }

    /// Files are read one by one on the store's thread, so that one at a time is in memory.
    private func stage(_ asset: FeedAsset) async throws {
        try await write { [digests = environment.digests, id = record.id] imports in
            try imports.stage(id: id, asset: StoredAsset(asset, digests: digests))
        }
    }

    private func write(_ body: @escaping @Sendable (any ImportRepository) throws -> Void) async throws {
        try await environment.store.write(.readCommitted) { [time = environment.time, id = record.id] repositories in
            guard try repositories.imports.touch(id: id, at: time.now) else { throw ImportLost() }
            try body(repositories.imports)
        }
    }
}
