import PouchDomain
import PouchFeed

/// How much of a feed has been read.
public struct FeedProgress: Sendable, Equatable {
    public let bytesRead: Int
    /// All bytes of the feed's files, images not counted.
    public let totalBytes: Int
    /// Rows of a CSV file without its header, elements of a JSON array; good and bad ones.
    public let rows: Int

    public init(bytesRead: Int, totalBytes: Int, rows: Int) {
        self.bytesRead = bytesRead
        self.totalBytes = totalBytes
        self.rows = rows
    }
}
