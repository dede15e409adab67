import Foundation
import PouchDomain
import PouchEntities
import PouchFeed
import PouchJSON
import Testing

@testable import PouchImport

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

    @Test func `Staged records have the form in which earlier releases stored them`() throws {
        let product = FeedProduct(
            line: 2, handle: "cap", promoImage: .cleared,
            variants: [FeedVariant(sku: "c", options: [:], price: Money(100, .eur))])
        let texts: [(StagedRecord, String)] = [
            (
                .product(product),
                #"{"product":{"_0":{"handle":"cap","line":2,"promoImage":{"cleared":{}},"variants":[{"options":{},"#
                    + #""price":{"amount":100,"currency":"EUR"},"sku":"c"}]}}}"#
            ),
            (
                .season(Season(id: "71", name: "Summer", startsAt: Date(timeIntervalSinceReferenceDate: 1))),
                #"{"season":{"_0":{"id":"71","name":"Summer","startsAt":1}}}"#
            ),
        ]
        for (record, text) in texts {
            #expect(try String(decoding: record.json(.stored), as: UTF8.self) == text)
            #expect(try StagedRecord(json: text, .stored) == record)
        }
        let image = FeedChange.set(ProductImage(url: "/a", alt: "b"))
        #expect(try FeedChange<ProductImage>(json: #"{"set":{"_0":{"alt":"b","url":"/a"}}}"#) == image)
        for text in [#"{}"#, #"{"cleared":{},"set":{}}"#, #"{"set":{}}"#, #"{"other":{"_0":1}}"#] {
            #expect(throws: JSONError.self, "\(text)") { try FeedChange<ProductImage>(json: text) }
        }
    }
}
