import PouchDomain
import PouchFeed

/// A feed whose records are read in batches on a thread of their own, so that waiting for the disk holds up nobody.
///
/// Nothing is read ahead: the consumer's pace is the reader's.
public actor FeedStream {
    private var reader: any FeedReader
    private let thread = FeedThread()

    public init(_ reader: any FeedReader) {
        self.reader = reader
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// How far the reading has come.
    public var progress: FeedProgress { reader.progress }

    /// The next records; fewer than `count` only at the end, and none when the feed is used up.
    public func next(_ count: Int) throws(FeedError) -> [FeedRecord] {
        var records: [FeedRecord] = []
        while records.count < count, let record = try reader.next() {
            records.append(record)
        }
        return records
    }
}
