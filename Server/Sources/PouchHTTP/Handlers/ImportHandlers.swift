import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchContract
import PouchDomain
import PouchEntities
import PouchImport
import PouchWire

/// Product feeds that administrators upload.
struct ImportHandlers {
    let imports: ImportService
    let shop: ShopSettings
    let digests: any Digests
    let steps: RouteSteps

    /// Receives the whole feed into a file before importing anything, so that a slow or broken upload has no effect.
    func importCatalog(_ call: Call<Void>) async throws -> Response {
        let (request, query) = (call.request, try call.request.query(ImportQuery.self))
        func key(_ body: Data) throws -> IdempotencyRecord.Request? {
            try IdempotencyRecord.Request(request, body: body, principal: call.principal, digests: digests)
        }
        // A malformed key is refused before the upload.
        _ = try key(Data())
        let length = request.contentLength
        guard length ?? 0 <= Limits.importBytes else { throw Self.tooLarge }
        let upload = FeedUpload(query.format, name: query.name, for: shop, digests: digests)
        do {
            var received = 0
            for try await piece in request.body {
                received += piece.readableBytes
                guard received <= Limits.importBytes else { throw Self.tooLarge }
                try await upload.append(Data(piece.readableBytesView))
            }
            guard received == length ?? received else {
                throw RequestProblem(.invalidRequest, "The body is shorter than its Content-Length.")
            }
            return try await imports.receive(
                upload.reader(), from: call.principal, isDryRun: query.isDryRun, request: key(upload.fingerprint)
            ) { report, repositories in
                let answer = try Reply(CatalogImport(report)).stored(status: Contract.importCatalog.status)
                try steps.record(call, answer, in: repositories)
                return answer
            }.response
        } catch let error as FeedError {
            throw RequestProblem(.invalidFeed, error.description)
        }
    }

    func catalogImport(_ call: Call<Void>, in repositories: any ShopRepositories) throws -> CatalogImport {
        CatalogImport(try imports.report(id: call.parameter("id"), in: repositories).orNotFound())
    }

    private static let tooLarge = RequestProblem(
        .bodyTooLarge, "A feed can have at most \(Limits.importBytes) bytes.")
}
