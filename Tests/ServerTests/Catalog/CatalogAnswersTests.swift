import Dispatch
import NIOCore
import ServerTesting
import Synchronization
import Testing

@testable import PouchDomain
@testable import PouchHTTP
@testable import PouchServer

private func answer(_ text: String) -> PublicAnswer {
    PublicAnswer(bytes: Data(text.utf8), cacheControl: "no-cache", digests: CryptoDigests())
}

private func text(_ answer: PublicAnswer?) -> String? {
    answer.map { String(decoding: $0.body.readableBytesView, as: UTF8.self) }
}

@Suite("The cache of catalogue answers", .timeLimit(.minutes(5)))
struct CatalogAnswersTests {
    /// A reading of one product.
    private static func reading(_ snapshot: CatalogSnapshot, _ handle: String = "handle-a") -> CatalogReading {
        let reading = CatalogReading(snapshot)
        _ = reading.product(handle: handle)
        return reading
    }

    private let snapshot = CatalogSnapshot(products: [.sample("a"), .sample("b")])

    @Test func `The least recently used answers make room for others, within the bound of bytes`() throws {
        // Three answers and their URIs, with a little room.
        let capacity = 3 * (2_048 + 32)
        var cache = AnswerCache<PublicAnswer>(capacity: capacity)
        func store(_ uri: String) -> [String?] {
            cache.store(answer(uri), for: uri, madeFrom: Self.reading(snapshot), signedBy: "k").map(text)
        }
        for uri in ["/v/1", "/v/2", "/v/3"] { #expect(store(uri) == []) }
        #expect(text(cache.find("/v/1", for: snapshot, signedBy: "k")) == "/v/1")
        #expect(store("/v/4") == ["/v/2"])
        #expect(store("/v/5") == ["/v/3"])
        #expect(cache.find("/v/2", for: snapshot, signedBy: "k") == nil && cache.count == 3)
        #expect(text(cache.find("/v/1", for: snapshot, signedBy: "k")) == "/v/1")
        for number in 0..<1_000 {
            _ = store("/x/\(number)")
            #expect(cache.find("/v/1", for: snapshot, signedBy: "k") != nil)
            #expect(cache.bytes <= capacity)
        }
        #expect(cache.count <= 3)
    }

    @Test func `An answer from an older snapshot never replaces a newer one`() throws {
        var cache = AnswerCache<PublicAnswer>(capacity: 1 << 20)
        let newer = snapshot.withAvailability(["a-1": 7])
        _ = cache.store(answer("new"), for: "/a", madeFrom: Self.reading(newer), signedBy: "k")
        _ = cache.store(answer("old"), for: "/a", madeFrom: Self.reading(snapshot), signedBy: "k")
        #expect(text(cache.find("/a", for: newer, signedBy: "k")) == "new")
    }

    @Test func `A sale drops the answers with its product, also when the cache missed snapshots in between`() throws {
        var cache = AnswerCache<PublicAnswer>(capacity: 1 << 20)
        _ = cache.store(answer("a"), for: "/a", madeFrom: Self.reading(snapshot), signedBy: "k")
        _ = cache.store(answer("b"), for: "/b", madeFrom: Self.reading(snapshot, "handle-b"), signedBy: "k")
        let later = snapshot.withAvailability(["a-1": 7]).withAvailability(["a-1": 8])
        #expect(cache.find("/a", for: later, signedBy: "k") == nil)
        #expect(text(cache.find("/b", for: later, signedBy: "k")) == "b")
        #expect(cache.find("/b", for: later.withAvailability(["b-1": 0]), signedBy: "k") == nil)
    }
}

@Suite("The catalogue answers of a shop", .timeLimit(.minutes(5)), .inShop())
struct ShopAnswersTests {
    private let shop: TestShop
    private let answers: CatalogAnswers<PublicAnswer>

    init() {
        shop = .current
        answers = CatalogAnswers(catalog: shop.services.catalog, keys: shop.services.keyRing)
    }

    @Test func `Concurrent requests for one answer encode it once`() async throws {
        let encodings = Mutex(0)
        let second = DispatchSemaphore(value: 0)
        let found = try await parallel(40) { number in
            try await answers.answer(to: "/x") { _ in
                let isFirst = encodings.withLock { count in
                    count += 1
                    return count == 1
                }
                // Gives a second one the time to begin, which must not happen.
                if isFirst { _ = second.wait(timeout: .now() + 0.2) } else { second.signal() }
                return answer("by \(number)")
            }
        }
        #expect(encodings.withLock { $0 } == 1)
        #expect(Set(found.map(text)).count == 1)
        #expect(text(answers.ready("/x")) == text(found[0]))
    }

    private struct Refused: Error {}

    @Test func `An error is not stored, and each request for the answer gets one`() async throws {
        _ = try await parallel(30) { _ in
            _ = await #expect(throws: Refused.self) { try await answers.answer(to: "/x") { _ in throw Refused() } }
        }
        #expect(answers.ready("/x") == nil)
        #expect(text(try await answers.answer(to: "/x") { _ in answer("good") }) == "good")
    }

    @Test func `A new signing key drops the stored answers, whose cursors the old one signed`() async throws {
        let keys = shop.services.keyRing
        _ = try await answers.answer(to: "/x") { _ in answer("old") }
        #expect(text(answers.ready("/x")) == "old")
        try await shop.addKey()
        // Until the servers read the keys again, the old one signs.
        _ = try await answers.answer(to: "/y") { _ in answer("old") }
        try await keys.refresh()
        #expect(answers.ready("/x") == nil && answers.ready("/y") == nil)
        _ = try await answers.answer(to: "/x") { _ in answer("new") }
        #expect(text(answers.ready("/x")) == "new")
    }

    @Test func `Ready answers are of the current catalogue, also after a scheduled price begins`() async throws {
        try await shop.scheduleCap()
        try await shop.services.catalog.check()
        try await shop.services.catalog.prepareBoundary()
        let read = { (handle: String) in
            try await answers.answer(to: "/" + handle) { catalog in
                answer("\(catalog.product(handle: handle)?.price.amount ?? 0)")
            }
        }
        for (handle, price) in [("cap", "1000"), ("scarf", "2500")] {
            #expect(answers.ready("/" + handle) == nil)
            #expect(text(try await read(handle)) == price)
            #expect(text(answers.ready("/" + handle)) == price)
        }
        shop.clock.advance(by: 60)
        try await shop.services.catalog.check()
        #expect(answers.ready("/cap") == nil)
        #expect(text(answers.ready("/scarf")) == "2500")
        #expect(text(try await read("cap")) == "500")
        #expect(text(answers.ready("/cap")) == "500")
        #expect(answers.ready("/" + String(repeating: "x", count: 600)) == nil)
    }
}
