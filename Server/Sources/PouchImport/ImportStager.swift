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
            try await write { [id = record.id] repositories in
                try repositories.imports.stage(id: id, records: batch, from: from)
                try repositories.imports.add(bad, from: failed, to: id)
            }
            position += staged.count
            record.report.failed += errors.count
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

    /// Reads one file at a time, on the store's thread, to keep a single file in memory.
    private func stage(_ asset: FeedAsset) async throws {
        try await write { [digests = environment.digests, id = record.id] repositories in
            try repositories.imports.stage(id: id, asset: StoredAsset(asset, digests: digests))
        }
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

extension StoredAsset {
    init(_ asset: FeedAsset, digests: any Digests) throws {
        let bytes = try Data(contentsOf: asset.file, options: .mappedIfSafe)
        self.init(
            path: asset.path, mediaType: Self.mediaType(of: asset.path), digest: digests.sha256(bytes), bytes: bytes)
    }

    private static func mediaType(of path: String) -> String {
        switch path.split(separator: ".").last?.lowercased() {
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "jpg", "jpeg": "image/jpeg"
        case "gif": "image/gif"
        case "webp": "image/webp"
        case "avif": "image/avif"
        default: "application/octet-stream"
        }
    }
}
