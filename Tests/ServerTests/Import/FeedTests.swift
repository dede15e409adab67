import Foundation
import PouchDomain
import PouchEntities
@testable import PouchImport
import Testing

@Suite("The stream of a feed's records")
struct FeedStreamTests {
    /// Returns row errors with ascending lines, then ends or throws.
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
    func `All batches but the last are full, and nothing is read ahead`() async throws {
        let stream = FeedStream(Counting(records: 5))
        #expect(try await stream.next(2).errors.map(\.line) == [1, 2])
        #expect(await stream.progress.rows == 2)
        #expect(try await stream.next(2).errors.map(\.line) == [3, 4])
        #expect(try await stream.next(2).errors.map(\.line) == [5])
        #expect(try await stream.next(2).isEmpty)
    }

    @Test(.timeLimit(.minutes(1)))
    func `The stream throws the error of the feed`() async throws {
        let stream = FeedStream(Counting(records: 1, failure: .missingFile("products.json")))
        await #expect(throws: FeedError.missingFile("products.json")) { try await stream.next(2) }
    }
}

@Suite("Slugs")
struct SlugTests {
    @Test(arguments: [
        ("Ribbed Cardigan", "ribbed-cardigan"), ("  --Å la  Crème! ", "a-la-creme"),
        ("Women's Coat", "womens-coat"),
        ("Straße & Øre", "strasse-ore"), ("S/M", "s-m"), ("e\u{301}te\u{301}", "ete"), ("été", "ete"),
        ("東京 12", "67714eac-12"), ("\u{130}stanbul", "istanbul"), ("!?", ""), ("", ""),
    ])
    func `A slug has letters, digits and single hyphens, and the slug of a slug is the same`(
        text: String, expected: String
    ) {
        #expect(text.slug == expected)
        #expect(expected.slug == expected)
    }
}
