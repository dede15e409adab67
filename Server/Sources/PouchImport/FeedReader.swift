import PouchDomain
import PouchFeed

/// Reads a feed record by record, so that its memory does not grow with the file.
public protocol FeedReader: Sendable {
    /// How far the reading has come; it runs ahead of the records by at most one chunk of the file.
    var progress: FeedProgress { get }

    /// The next record, or nil at the end.
    ///
    /// Waits for the disk, so it belongs on a thread that may wait: `FeedStream` has one.
    /// - Throws: when the feed as a whole cannot be read; a single bad row is a record of its own, and reading goes on.
    mutating func next() throws(FeedError) -> FeedRecord?
}
