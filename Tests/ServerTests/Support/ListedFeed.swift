import PouchDomain
import PouchImport

/// A feed whose records a test names.
struct ListedFeed: FeedReader {
    private var records: ArraySlice<FeedRecord>
    private var rows = 0
    private let failure: FeedError?

    /// - Parameter failure: thrown behind the last record.
    init(_ records: [FeedRecord], failure: FeedError? = nil) {
        self.records = records[...]
        self.failure = failure
    }

    init(_ products: [FeedProduct]) {
        self.init(products.map(FeedRecord.product))
    }

    var progress: FeedProgress { FeedProgress(bytesRead: rows, totalBytes: rows + records.count, rows: rows) }

    mutating func next() throws(FeedError) -> FeedRecord? {
        guard let record = records.popFirst() else {
            if let failure { throw failure }
            return nil
        }
        rows += 1
        return record
    }
}
