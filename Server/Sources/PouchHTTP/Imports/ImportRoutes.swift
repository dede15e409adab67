import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

/// Feeds that administrators send.
struct ImportRoutes {
    let services: ShopServices

    func register(with routes: RouteRegistrar) {
        routes.stream(Contract.importCatalog) { call, principal in
            try await receive(call.request, call.query(ImportQuery.self), from: principal).response
        }
        routes.read(Contract.catalogImport) { call, _, repositories in
            Reply(try found(try call.parameter("id"), in: repositories))
        }
    }

    /// The feed is kept in a file until all of it has come, so that a sender who is slow or goes away leaves nothing.
    private func receive(
        _ request: Request, _ query: ImportQuery, from principal: Principal
    ) async throws -> IdempotentAnswer {
        // Before anything is read, so that a key that cannot be one is refused at once.
        _ = try key(of: request, Data(), principal)
        let length = request.headers[.contentLength].flatMap { Int($0) }
        guard length ?? 0 <= Limits.importBytes else { throw Self.tooLarge }
        let upload = FeedUpload(query.format, for: services.shop, digests: services.digests)
        do {
            var received = 0
            for try await piece in request.body {
                received += piece.readableBytes
                guard received <= Limits.importBytes else { throw Self.tooLarge }
                try await upload.append(Data(piece.readableBytesView))
            }
            guard received == length ?? received else {
                throw RequestProblem(.invalidRequest, "The body ended too early.")
            }
            return try await services.imports.receive(
                upload.reader(), isDryRun: query.isDryRun, request: key(of: request, upload.fingerprint, principal)
            ) { try Reply(CatalogImport($0)).stored(status: Contract.importCatalog.status) }
        } catch let error as FeedError {
            throw RequestProblem(.invalidFeed, error.description)
        }
    }

    private func key(
        of request: Request, _ body: Data, _ principal: Principal
    ) throws -> IdempotencyRecord.Request? {
        try IdempotencyRecord.Request(request, body: body, principal: principal, digests: services.digests)
    }

    private static let tooLarge = RequestProblem(
        .bodyTooLarge, "A feed may have up to \(Limits.importBytes) bytes.")

    private func found(_ id: String, in repositories: any Repositories) throws -> CatalogImport {
        guard let report = try services.imports.report(id: id, in: repositories) else { throw DomainError.notFound }
        return CatalogImport(report)
    }
}

extension CatalogImport {
    fileprivate init(_ report: ImportReport) {
        let status: Status =
            switch report.status {
            case .running: .running
            case .published: .published
            case .failed: .failed
            case .dryRun: .dryRun
            }
        self.init(
            id: report.id, status: status, rows: report.rows, created: report.created, updated: report.updated,
            unchanged: report.unchanged, failed: report.failed,
            errors: report.errors.map {
                RowError(line: $0.line, field: $0.field, code: $0.code.rawValue, detail: $0.detail)
            })
    }
}
