import Foundation
import PouchDomain
import PouchEntities
import PouchImport
import Testing

@Suite("A stream of a feed's records")
struct FeedStreamTests {
    /// Hands over reports with ascending lines, then ends, or fails.
    private struct Counting: FeedReader {
        let records: Int
        var failure: FeedError?
        private(set) var progress = FeedProgress(bytesRead: 0, totalBytes: 100, rows: 0)

        init(records: Int, failure: FeedError? = nil) {
            self.records = records
            self.failure = failure
        }

        mutating func next() throws(FeedError) -> FeedRecord? {
            guard progress.rows < records else {
                if let failure { throw failure }
                return nil
            }
            progress = FeedProgress(bytesRead: progress.rows, totalBytes: 100, rows: progress.rows + 1)
            return .bad(FeedRowError(line: progress.rows, code: .invalid, detail: ""))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `Batches are full until the last one, and nothing is read ahead`() async throws {
        let stream = FeedStream(Counting(records: 5))
        #expect(try await stream.next(2).errors.map(\.line) == [1, 2])
        #expect(await stream.progress.rows == 2)
        #expect(try await stream.next(2).errors.map(\.line) == [3, 4])
        #expect(try await stream.next(2).errors.map(\.line) == [5])
        #expect(try await stream.next(2).isEmpty)
    }

    @Test(.timeLimit(.minutes(1)))
    func `A feed that cannot be read on says why`() async throws {
        let stream = FeedStream(Counting(records: 1, failure: .missingFile("products.json")))
        await #expect(throws: FeedError.missingFile("products.json")) { try await stream.next(2) }
    }
}
