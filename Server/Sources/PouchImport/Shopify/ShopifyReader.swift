import Foundation
import PouchDomain
import PouchEntities
import PouchFeed

/// Reads Shopify's product CSV. A product is handed over when the next handle begins.
///
/// Rows of a handle that come back later in the file are a further product, with what they name and no more.
/// A product that is marked as unpublished, draft or archived is left out and reported once.
public struct ShopifyReader: FeedReader {
    private var chunks: FileChunks
    private var tokenizer = CSVTokenizer()
    private var header: ShopifyHeader?
    private var product: ShopifyProduct?
    private var pending: ArraySlice<FeedRecord> = []
    private var rows = 0
    private var isAtEnd = false
    private let currency: Currency

    /// - Throws: when the file cannot be opened.
    public init(file: URL, currency: Currency) throws(FeedError) {
        try self.init(file: file, currency: currency, chunkSize: FileChunks.defaultSize)
    }

    /// - Parameter chunkSize: the bytes that are read at a time, at least 1.
    public init(file: URL, currency: Currency, chunkSize: Int) throws(FeedError) {
        chunks = try FileChunks(file: file, size: chunkSize)
        self.currency = currency
    }

    public var progress: FeedProgress {
        FeedProgress(bytesRead: chunks.bytesRead, totalBytes: chunks.totalBytes, rows: rows)
    }

    public mutating func next() throws(FeedError) -> FeedRecord? {
        while pending.isEmpty, !isAtEnd {
            if let row = tokenizer.next() {
                try take(row)
            } else if let bytes = try chunks.next() {
                tokenizer.append(bytes)
            } else {
                tokenizer.finish()
                while let row = tokenizer.next() { try take(row) }
                try finish()
            }
        }
        return pending.popFirst()
    }

    private mutating func take(_ result: Result<CSVRow, FeedRowError>) throws(FeedError) {
        guard let header else {
            switch result {
            case .success(let row): header = try ShopifyHeader(row, file: chunks.name)
            case .failure(let error): throw .malformed(file: chunks.name, line: error.line, detail: error.detail)
            }
            return
        }
        rows += 1
        do throws(FeedRowError) {
            let row = try ShopifyRow(try result.get(), header: header)
            guard !row.handle.isEmpty else {
                throw row.failure(.handle, .required, "the row has no handle")
            }
            guard row.handle.count <= ModelLimits.textLength.upperBound else {
                throw row.failure(
                    .handle, .tooLong, "a handle has at most \(ModelLimits.textLength.upperBound) characters")
            }
            if product?.handle != row.handle {
                handOver()
                product = ShopifyProduct(first: row, currency: currency)
            }
            pending += product?.add(row).map(FeedRecord.bad) ?? []
        } catch {
            pending.append(.bad(error))
        }
    }

    private mutating func handOver() {
        if let record = product?.record() { pending.append(record) }
        product = nil
    }

    private mutating func finish() throws(FeedError) {
        guard header != nil else {
            throw .missingColumns(ShopifyColumn.required.map(\.rawValue), file: chunks.name)
        }
        handOver()
        isAtEnd = true
    }
}
