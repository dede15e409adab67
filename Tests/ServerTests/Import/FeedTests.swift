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

    @Test(.timeLimit(.minutes(5)))
    func `All batches but the last are full, and nothing is read ahead`() async throws {
        let stream = FeedStream(Counting(records: 5))
        #expect(try await stream.next(2).errors.map(\.line) == [1, 2])
        #expect(await stream.progress.rows == 2)
        #expect(try await stream.next(2).errors.map(\.line) == [3, 4])
        #expect(try await stream.next(2).errors.map(\.line) == [5])
        #expect(try await stream.next(2).isEmpty)
    }

    @Test(.timeLimit(.minutes(5)))
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

@Suite("Documents in the database")
struct StoredDocumentTests {
    @Test func `Documents have the form in which earlier releases stored them`() throws {
        let product = FeedProduct(
            line: 2, handle: "cap", promoImage: .cleared,
            variants: [FeedVariant(sku: "c", options: [:], price: Money(100, .eur))])
        try expect(
            StagedRecord.product(product),
            #"{"product":{"_0":{"handle":"cap","line":2,"promoImage":{"cleared":{}},"variants":[{"options":{},"#
                + #""price":{"amount":100,"currency":"EUR"},"sku":"c"}]}}}"#)
        let season = Season(id: "71", name: "Summer", startsAt: Date(timeIntervalSinceReferenceDate: 1))
        try expect(StagedRecord.season(season), #"{"season":{"_0":{"id":"71","name":"Summer","startsAt":1}}}"#)
        try expect(CatalogChange.season(season), #"{"season":{"_0":{"id":"71","name":"Summer","startsAt":1}}}"#)
        try expect(
            CatalogChange.theme(Theme(id: "712", name: "Surf", seasonId: "71")),
            #"{"theme":{"_0":{"id":"712","name":"Surf","seasonId":"71"}}}"#)
        try expect(
            CatalogChange.category(id: "caps", name: "Caps"), #"{"category":{"id":"caps","name":"Caps"}}"#)
        try expect(
            CatalogChange.promotion(.init(productId: "p", image: ProductImage(url: "/a", alt: "b"), position: 1)),
            #"{"promotion":{"_0":{"image":{"alt":"b","url":"/a"},"position":1,"productId":"p"}}}"#)
        let image = ProductImage(url: "/a", alt: "b")
        try expect(FeedChange.set(image), #"{"set":{"_0":{"alt":"b","url":"/a"}}}"#)
    }

    @Test func `An import and its errors have the form in which earlier releases stored them`() throws {
        var record = ImportRecord(id: "imp_1", isDryRun: true)
        (record.phase, record.cursor, record.revision, record.promotions) = (.comparing, "7", 3, 2)
        (record.report.rows, record.report.created, record.report.updated) = (9, 8, 7)
        (record.report.products, record.report.variants, record.report.failed) = (6, 5, 4)
        try expect(
            record,
            #"{"cursor":"7","hasChanges":false,"id":"imp_1","phase":"comparing","promotions":2,"report":{"created":8,"#
                + #""errors":[],"failed":4,"id":"imp_1","products":6,"rows":9,"status":"dryRun","updated":7,"#
                + #""variants":5},"revision":3}"#)
        try expect(
            FeedRowError(line: 2, field: "price", code: .outOfRange, detail: "too large"),
            #"{"code":"out_of_range","detail":"too large","field":"price","line":2}"#)
    }

    @Test func `The rule of a discount has the form in which earlier releases stored it`() throws {
        try expect(Discount.Rule.percentage(basisPoints: 1_000), #"{"percentage":{"basisPoints":1000}}"#)
        try expect(
            Discount.Rule.amount(Money(500, .eur)), #"{"amount":{"_0":{"amount":500,"currency":"EUR"}}}"#)
        try expect(Discount.Rule.buyXGetY(buy: 2, get: 1), #"{"buyXGetY":{"buy":2,"get":1}}"#)
        try expect(Discount.Rule.freeShipping, #"{"freeShipping":{}}"#)
    }

    @Test(arguments: [#"{}"#, #"{"cleared":{},"set":{}}"#, #"{"set":{}}"#, #"{"other":{"_0":1}}"#])
    func `A document with no case, two or an unknown one is refused`(text: String) {
        #expect(throws: JSONError.self) { try FeedChange<ProductImage>(json: text) }
    }

    private func expect<Document: JSONCodable & Equatable>(_ document: Document, _ text: String) throws {
        #expect(try String(decoding: document.json(.stored), as: UTF8.self) == text)
        #expect(try Document(json: text, .stored) == document)
    }
}
