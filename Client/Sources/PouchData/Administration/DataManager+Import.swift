import Foundation
import PouchContract
import PouchEntities
import PouchService

extension DataManager {
    /// Sends a feed, which is read from the file meanwhile. Returns when the server has it; `catalogImport` tells what
    /// becomes of it.
    ///
    /// - Parameters:
    ///   - isDryRun: finds out what would change, and changes nothing.
    ///   - onProgress: told the bytes that were sent so far and those of the whole file, from any thread.
    public func importCatalog(
        file: URL,
        format: FeedFormat,
        isDryRun: Bool = false,
        onProgress: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws(DataError) -> CatalogImport {
        let path = Path.Administration.importCatalog(
            file: file, mediaType: format.mediaType, format: format.rawValue, dryRun: isDryRun)
        let answer = try await answer(
            to: Contract.importCatalog.endpoint, .administration(path), onProgress: onProgress)
        return try decode(CatalogImport.self, from: answer)
    }

    public func catalogImport(id: String) async throws(DataError) -> CatalogImport {
        try await perform(Contract.catalogImport, .administration(.catalogImport(id: id)))
    }
}

extension FeedFormat {
    fileprivate var mediaType: String {
        switch self {
        case .shopifyCSV: "text/csv"
        case .layersJSON: "application/json"
        }
    }
}
