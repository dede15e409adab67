import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchService
import PouchTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AdminManagerTests {
    private let signedIn = MemorySessionStore(Fixture.data(Fixture.session()))
    private let ten = ManagedDiscount(
        id: "dis_1", terms: DiscountTerms(code: "TEN", kind: .percentage, basisPoints: 1000, limit: 5), used: 2)
    private let refund = Refund(id: "ref_1", amount: Fixture.euros(5), createdAt: Date.sample)

    private func feed(_ status: CatalogImport.Status, rows: Int = 3) -> CatalogImport {
        CatalogImport(
            id: "imp_1", status: status, rows: rows, created: 1, updated: 1, unchanged: 1, failed: 0, errors: [])
    }

    /// Each call gets the next of these answers.
    private func manager(
        _ answers: [Result<NetworkResponse, NetworkError>], makeKey: @escaping @Sendable () -> String = { "key" }
    ) throws -> (admin: AdminManager, transport: RecordingTransport) {
        let transport = RecordingTransport(answers)
        return (try ManagersUnderTest(over: transport, store: signedIn, makeKey: makeKey).admin, transport)
    }

    // MARK: Imports

    @Test func `a feed is uploaded from its file, with its media type and without a time limit`() async throws {
        let (admin, transport) = try manager([.success(.json(feed(.running), status: 202))])
        let file = URL(filePath: "/feeds/a.csv")
        #expect(try await admin.importCatalog(file: file, format: .shopifyCSV, isDryRun: true) == feed(.running))
        let request = try #require(transport.requests.first)
        #expect(request.url.query() == "format=shopify-csv&dryRun=true&name=a.csv")
        #expect(request.upload == FileUpload(file: file) && request.body == nil)
        #expect(request.headers["Content-Type"] == "text/csv" && request.timeout == nil)
    }

    @Test func `the upload reports its progress`() async throws {
        let transport = RecordingTransport { [feed] request throws(NetworkError) in
            for sent in 1...2 { request.upload?.onProgress(Int64(sent), 2) }
            return .json(feed(.running, 3), status: 202)
        }
        let admin = try ManagersUnderTest(over: transport, store: signedIn).admin
        let (file, reported) = (URL(filePath: "/a.json"), Collector<Int64>())
        _ = try await admin.importCatalog(file: file, format: .layersJSON) { sent, _ in reported.add(sent) }
        #expect(reported.all == [1, 2])
        #expect(transport.requests.first?.headers["Content-Type"] == "application/json")
    }

    @Test func `an import is followed to its end, across an outage of the server`() async throws {
        let (admin, transport) = try manager([
            .success(.json(feed(.running, rows: 5))), .failure(.unreachable("starting")),
            .success(.problem(.unavailable)), .success(.json(feed(.running, rows: 9))),
            .success(.json(feed(.published, rows: 9))),
        ])
        let reported = Collector<Int>()
        let ended = try await admin.follow(feed(.running), every: .zero) { reported.add($0.rows) }
        #expect(ended.status == .published)
        #expect(reported.all == [5, 9, 9])
        #expect(transport.requests.allSatisfy { $0.url.path() == "/v1/admin/imports/imp_1" })
    }

    @Test(arguments: [CatalogImport.Status.published, .failed, .dryRun])
    func `an import that has ended is not requested again`(status: CatalogImport.Status) async throws {
        let (admin, transport) = try manager([])
        #expect(try await admin.follow(feed(status), every: .zero) == feed(status))
        #expect(transport.requests.isEmpty)
    }

    @Test func `following fails for an unknown import, and after a long outage`() async throws {
        let (gone, _) = try manager([.success(.problem(.notFound))])
        #expect(await thrownReason { try await gone.follow(feed(.running), every: .zero) } == .notFound)
        let (away, transport) = try manager(Array(repeating: .failure(.unreachable("down")), count: 100))
        #expect(await thrownReason { try await away.follow(feed(.running), every: .zero) } == .unreachable)
        #expect((2..<100).contains(transport.requests.count))
    }

    @Test func `following ends when its task is cancelled`() async throws {
        let (admin, _) = try manager(Array(repeating: .success(.json(feed(.running))), count: 100))
        let task = Task { [feed] in try await admin.follow(feed(.running, 3), every: .seconds(3600)) }
        task.cancel()
        #expect(await thrownReason { try await task.value } == .cancelled)
    }

    // MARK: Variants and discounts

    @Test func `price and stock are sent separately`() async throws {
        let variant = ManagedVariant(sku: "a", price: Fixture.euros(5), available: 1, onHand: 2, held: 1)
        let (admin, transport) = try manager(Array(repeating: .success(.json(variant)), count: 3))
        #expect(try await admin.setPrice(sku: "a", Fixture.euros(5)) == variant)
        _ = try await admin.changeStock(sku: "a", .set(1))
        _ = try await admin.changeStock(sku: "a", .adjust(-1))
        #expect(
            transport.requests.map(\.bodyText) == [
                #"{"price":{"amount":5,"currency":"EUR"}}"#, #"{"available":1}"#, #"{"adjust":-1}"#,
            ])
    }

    @Test func `a discount is found by its code on any page`() async throws {
        let other = ManagedDiscount(id: "dis_2", terms: DiscountTerms(code: "POST", kind: .freeShipping), used: 0)
        let pages: [Result<NetworkResponse, NetworkError>] = [
            .success(.json(Page(items: [other], nextCursor: "more"))), .success(.json(Page(items: [ten]))),
        ]
        let (admin, transport) = try manager(pages)
        #expect(try await admin.discount(code: "ten") == ten)
        #expect(transport.requests.last?.url.query() == "limit=200&cursor=more")
        #expect(await thrownReason { try await manager(pages).admin.discount(code: "else") } == .notFound)
    }

    @Test func `a search for a discount fails when the cursors repeat`() async throws {
        let next = [nil: "one", "one": "two", "two": "one"]
        let transport = RecordingTransport { request in
            let cursor = next.keys.first { key in key.map { request.url.query()?.hasSuffix($0) == true } ?? false }
            return .json(Page<ManagedDiscount>(items: [], nextCursor: next[cursor ?? nil]))
        }
        let admin = try ManagersUnderTest(over: transport, as: .ada).admin
        #expect(await thrownReason { try await admin.discount(code: "ten") } == .unreadableAnswer)
        #expect(transport.requests.count == 3)
    }

    @Test func `only the changed terms of a discount are sent`() async throws {
        let (admin, transport) = try manager(Array(repeating: .success(.json(ten)), count: 2))
        var terms = ten.terms
        terms.limit = nil
        terms.minimum = Fixture.euros(100)
        _ = try await admin.changeDiscount(ten, to: terms)
        _ = try await admin.changeDiscount(ten, to: DiscountTerms(code: "TEN", kind: .freeShipping, limit: 5))
        #expect(
            transport.requests.map(\.bodyText) == [
                #"{"limit":null,"minimum":{"amount":100,"currency":"EUR"}}"#,
                #"{"basisPoints":null,"kind":"freeShipping"}"#,
            ])
    }

    // MARK: Refunds

    @Test func `a refund repeated after a lost answer has the same key, after a clear answer a new one`() async throws {
        let keys = Counter()
        let (admin, transport) = try manager(
            [
                .failure(.timedOut), .success(.json(refund, status: 201)), .success(.problem(.refundExceedsCapture)),
                .success(.json(refund, status: 201)),
            ],
            makeKey: { "key-\(keys.increment())" })
        let draft = RefundDraft(.amount(Fixture.euros(5)), reason: "late")
        await #expect(throws: DataError.self) { try await admin.refund(orderId: "ord_1", draft) }
        #expect(try await admin.refund(orderId: "ord_1", draft) == refund)
        #expect(await thrownReason { try await admin.refund(orderId: "ord_1", draft) } == .refundExceedsCapture)
        _ = try await admin.refund(orderId: "ord_1", draft)
        let sent = transport.requests.map { $0.headers["Idempotency-Key"] }
        #expect(sent[0] == sent[1])
        #expect(Set(sent).count == 3)
    }

    @Test func `a refund covers an amount, units or the rest, with a key of the caller`() async throws {
        let (admin, transport) = try manager(Array(repeating: .success(.json(refund, status: 201)), count: 3))
        for part in [RefundDraft.Part.amount(Fixture.euros(5)), .lines([.init(sku: "a", quantity: 2)]), .rest] {
            _ = try await admin.refund(orderId: "ord_1", RefundDraft(part, reason: "late"), key: "mine")
        }
        #expect(
            transport.requests.map(\.bodyText) == [
                #"{"amount":{"amount":5,"currency":"EUR"},"reason":"late"}"#,
                #"{"lines":[{"quantity":2,"sku":"a"}],"reason":"late"}"#, #"{"reason":"late"}"#,
            ])
        #expect(transport.requests.allSatisfy { $0.headers["Idempotency-Key"] == "mine" })
        #expect(transport.requests.allSatisfy { $0.url.path() == "/v1/admin/orders/ord_1/refunds" })
    }

    @Test(arguments: [
        (ProblemCode.codeTaken, DataError.Reason.codeTaken), (.stockNegative, .stockNegative),
        (.notFulfillable, .notFulfillable), (.notDeliverable, .notDeliverable), (.forbidden, .forbidden),
    ])
    func `refusals arrive as reasons of the model`(code: ProblemCode, reason: DataError.Reason) async throws {
        let (admin, _) = try manager([.success(.problem(code))])
        let error = await #expect(throws: DataError.self) { try await admin.fulfil(id: "ord_1") }
        #expect(error?.reason == reason && error?.mayHaveTakenEffect == false)
    }
}
