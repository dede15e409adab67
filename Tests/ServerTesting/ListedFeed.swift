import PouchImport

/// A feed of given records.
public struct ListedFeed: FeedReader {
    private var records: ArraySlice<FeedRecord>
    private var rows = 0
    private let failure: FeedError?

    /// - Parameter failure: thrown after the last record.
    public init(_ records: [FeedRecord], failure: FeedError? = nil) {
        self.records = records[...]
        self.failure = failure
    }

    public init(_ products: [FeedProduct]) {
        self.init(products.map(FeedRecord.product))
    }

    public var progress: FeedProgress {
        FeedProgress(bytesRead: rows, totalBytes: rows + records.count, rows: rows)
    }

    public mutating func next() throws(FeedError) -> FeedRecord? {
        guard let record = records.popFirst() else {
            if let failure { throw failure }
            return nil
        }
        rows += 1
        return record
    }
}
