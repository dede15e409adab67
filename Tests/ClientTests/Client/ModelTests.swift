import ClientTesting
import Foundation
import Observation
import PouchClient
import PouchModels
import PouchTesting
import PouchWire
import Testing

/// The models that views observe, over the managers of a test shop.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct ModelTests {
    private let shop: TestShop
    private let pouch: Pouch

    init() {
        shop = TestShop(products: (0..<5).map { .sample(sku: "hat-\($0)") })
        pouch = Pouch(testing: shop)
    }

    /// Waits until a property that is read in the closure has the wanted state.
    private func observe(until isMet: @escaping @MainActor () -> Bool) async {
        while true {
            let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
            let isDone = withObservationTracking {
                isMet()
            } onChange: {
                continuation.finish()
            }
            if isDone { return }
            for await _ in changes {}
        }
    }

    @Test func `a live value follows its manager while a task runs, and observers see each change`() async throws {
        let cart = Live(pouch.cart.state) { [pouch] in pouch.cart.states() }
        let following = Task { await cart.follow() }
        #expect(cart.value == nil)
        try await pouch.cart.add(sku: "hat-1", quantity: 2)
        await observe { cart.value?.cart.unitCount == 2 }
        following.cancel()
        await following.value
        try await pouch.cart.add(sku: "hat-1")
        #expect(cart.value?.cart.unitCount == 2, "nothing is followed any more")
        #expect(cart.failure == nil)
    }

    @Test func `a live ride ends with its failure`() async throws {
        let pouch = Pouch(testing: shop, signedInAs: .sample())
        let ride = Live<Ride?>(nil) { pouch.rides.follow("rid_9").map(Optional.some) }
        await ride.follow()
        #expect(ride.value == nil && ride.failure?.reason == .notFound)
    }

    @Test func `an error that is not the shop's ends a live value, too`() async throws {
        struct Broken: Error {}
        let live = Live(0) { AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Broken()) } }
        await live.follow()
        #expect(live.failure?.reason == .unexpected(code: nil))
    }

    @Test func `a loaded value shows its progress, keeps its value after a failure, and drops that`() async throws {
        let product = Loaded { [pouch] () async throws(DataError) in
            try await pouch.catalog.product(handle: "hat-1").value
        }
        let gate = shop.hold(Contract.product)
        let loading = Task { await product.load() }
        await observe { product.isLoading }
        gate.open()
        await loading.value
        #expect(product.value?.handle == "hat-1" && !product.isLoading && product.failure == nil)
        shop.failNext(Contract.product, with: .problem(.notFound))
        await product.load()
        #expect(product.value?.handle == "hat-1" && product.failure?.reason == .notFound)
        await product.load()
        #expect(product.failure == nil)
    }

    /// A value with two loads at once, each held at its gate. Only the later one is let through and has ended.
    private func overtakenLoad(
        _ result: @escaping @Sendable (_ load: Int) throws(DataError) -> Int
    ) async -> (value: Loaded<Int>, first: Gate, earlier: Task<Void, Never>) {
        let (first, second, calls) = (Gate(), Gate(), Counter())
        let value = Loaded<Int> { () async throws(DataError) in
            let call = calls.increment()
            await (call == 1 ? first : second).pass()
            return try result(call)
        }
        let earlier = Task { await value.load() }
        await first.held(1)
        let later = Task { await value.load() }
        await second.held(1)
        second.open()
        await later.value
        return (value, first, earlier)
    }

    @Test func `of two loads at once the later one counts`() async throws {
        let (value, first, earlier) = await overtakenLoad { load throws(DataError) in load }
        #expect(value.value == 2)
        first.open()
        await earlier.value
        #expect(value.value == 2)
    }

    @Test func `a load that is cancelled leaves the outcome of an earlier one`() async throws {
        let (value, first, earlier) = await overtakenLoad { load throws(DataError) in
            guard load == 1 else { throw DataError(.cancelled) }
            return load
        }
        #expect(value.isLoading && value.value == nil)
        first.open()
        await earlier.value
        #expect(value.value == 1 && !value.isLoading && value.failure == nil)
    }

    @Test func `a list is read page by page, and a page that failed is read again`() async throws {
        shop.change { $0.pageSize = 2 }
        let hats = PagedList(pouch.catalog.all())
        #expect(hats.items.isEmpty && hats.hasMore)
        await hats.loadMore()
        #expect(hats.items.map(\.handle) == ["hat-0", "hat-1"])
        shop.failNext(Contract.products, with: .network(.unreachable("test")))
        await hats.loadMore()
        #expect(hats.items.count == 2 && hats.failure?.reason == .unreachable && hats.hasMore)
        await hats.loadMore()
        await hats.loadMore()
        #expect(hats.items.map(\.handle) == (0..<5).map { "hat-\($0)" })
        #expect(hats.failure == nil && !hats.hasMore)
        await hats.loadMore()
        #expect(shop.requests(to: Contract.products).count == 4)
    }

    @Test func `a list from this device says why it is not current, until it is read again`() async throws {
        let pouch = Pouch(testing: shop, store: MemoryStore())
        try await pouch.catalog.refresh()
        let hats = PagedList(pouch.catalog.all())
        shop.connection = .down
        await hats.loadMore()
        #expect(hats.items.count == 5 && hats.failure == nil)
        #expect(hats.staleness?.reason == .unreachable && hats.asOf != nil)
        shop.connection = .up
        await hats.reload()
        #expect(hats.items.count == 5 && hats.staleness == nil && hats.asOf == nil)
    }

    @Test func `a list that was replaced between two pages is read again from its start`() async throws {
        shop.change { $0.pageSize = 2 }
        let hats = PagedList(pouch.catalog.all())
        await hats.loadMore()
        shop.change { $0.products.reverse() }
        shop.failNext(Contract.products, with: .problem(.cursorExpired))
        await hats.loadMore()
        #expect(hats.items.map(\.handle) == ["hat-4", "hat-3"])
        #expect(hats.failure == nil && hats.hasMore && !hats.isLoading)
    }

    @Test func `a reload that fails leaves the items, and is repeated before further pages`() async throws {
        shop.change { $0.pageSize = 3 }
        let hats = PagedList(pouch.catalog.all())
        await hats.loadMore()
        await hats.loadMore()
        #expect(hats.items.count == 5 && !hats.hasMore)
        shop.change { $0.products.reverse() }
        shop.failNext(Contract.products, with: .network(.unreachable("test")))
        await hats.reload()
        #expect(hats.items.map(\.handle) == (0..<5).map { "hat-\($0)" } && hats.failure?.reason == .unreachable)
        await hats.loadMore()
        #expect(hats.items.map(\.handle) == ["hat-4", "hat-3", "hat-2"] && hats.failure == nil && hats.hasMore)
        await hats.loadMore()
        #expect(hats.items.map(\.handle) == (0..<5).reversed().map { "hat-\($0)" })
    }

    @Test func `while a page is read, further calls are ignored, and a reload replaces it`() async throws {
        shop.change { $0.pageSize = 2 }
        let hats = PagedList(pouch.catalog.all())
        let gate = shop.hold(Contract.products)
        let first = Task { await hats.loadMore() }
        await gate.held()
        await hats.loadMore()
        let again = Task { await hats.reload() }
        await gate.held(2)
        gate.open()
        await first.value
        await again.value
        #expect(hats.items.map(\.handle) == ["hat-0", "hat-1"])
        #expect(shop.requests(to: Contract.products).count == 2)
    }
}
