import Foundation
import PouchEntities

/// Brings a feed into the catalogue: its records are staged in short transactions while it is read, and published in
/// one, so that customers see the catalogue before or after it and nothing between.
public struct ImportService: Sendable {
    /// Records of one staging transaction.
    private static let batch = 200
    /// After this long without a sign of life, an import counts as dead.
    private static let abandonment: TimeInterval = 15 * 60

    private let environment: DomainEnvironment

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
    }

    /// - Parameters:
    ///   - isDryRun: whether to find out what would change, and change nothing.
    ///   - progress: called after each batch.
    /// - Throws: `FeedError` when the feed as a whole cannot be read, and what the store throws; the catalogue is then as
    ///   it was.
    public func run(
        _ reader: any FeedReader, isDryRun: Bool = false, progress: @Sendable (FeedProgress) -> Void = { _ in }
    ) async throws -> ImportReport {
        let id = environment.ids.make(.import)
        let begun = environment.time.now
        try await environment.store.write { repositories in
            try repositories.imports.discardAbandoned(before: begun.addingTimeInterval(-Self.abandonment))
            try repositories.imports.begin(id: id, at: begun)
        }
        do {
            let report = try await stage(reader, id: id, isDryRun: isDryRun, progress: progress)
            return try await publish(report)
        } catch {
            try? await environment.store.write { try $0.imports.discard(id: id) }
            throw error
        }
    }

    private func stage(
        _ reader: any FeedReader, id: String, isDryRun: Bool, progress: @Sendable (FeedProgress) -> Void
    ) async throws -> ImportReport {
        let stream = FeedStream(reader)
        var report = ImportReport(id: id, status: isDryRun ? .dryRun : .published)
        var position = 0
        while true {
            try Task.checkCancellation()
            let records = try await stream.next(Self.batch)
            guard !records.isEmpty else { break }
            var staged: [StagedRecord] = []
            for record in records {
                switch record {
                case .season(let season): staged.append(.season(season))
                case .theme(let theme): staged.append(.theme(theme))
                case .product(let product): staged.append(.product(product))
                case .promotion(let promotion): staged.append(.promotion(promotion))
                case .bad(let error): report.add(error)
                case .asset(let asset):
                    // Read one by one on the store's thread, so that one file at a time is in memory.
                    try await environment.store.write { [environment] repositories in
                        try repositories.imports.stage(
                            id: id, asset: StoredAsset(asset, digests: environment.digests), at: environment.time.now)
                    }
                }
            }
            let (batch, from) = (staged, position)
            try await environment.store.write { [time = environment.time] repositories in
                try repositories.imports.stage(id: id, records: batch, from: from, at: time.now)
            }
            position += staged.count
            progress(await stream.progress)
        }
        let end = await stream.progress
        report.rows = end.rows
        progress(end)
        return report
    }

    private func publish(_ report: ImportReport) async throws -> ImportReport {
        do {
            return try await environment.store.write { repositories in
                var publisher = CatalogPublisher(report, repositories: repositories, environment: environment)
                let result = try publisher.publish()
                if report.status == .dryRun { throw DryRun(report: result) }
                return result
            }
        } catch let dryRun as DryRun {
            try await environment.store.write { try $0.imports.discard(id: report.id) }
            return dryRun.report
        }
    }

    /// Thrown to take everything back that a dry run found out.
    private struct DryRun: Error {
        let report: ImportReport
    }
}

extension StoredAsset {
    fileprivate init(_ asset: FeedAsset, digests: any Digests) throws {
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
