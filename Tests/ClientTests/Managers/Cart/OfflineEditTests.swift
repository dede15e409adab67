import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchTesting
import Testing

/// Edits while the server cannot be reached.
@Suite(.timeLimit(.minutes(5)))
struct CartOfflineTests {
    private let shop = TestShop(sellsAnySKU: true)
    private let ada = Shopper.ada.owner

    @Test func `an edit that cannot be sent is shown at once as not confirmed, with estimated totals`() async throws {
        let store = await MemoryStore.holding([Fixture.product(sku: "b", price: 250)])
        let managers = try await ManagersUnderTest.opened(over: shop, local: store)
        try await managers.cart.add(sku: "a", quantity: 2)
        #expect(managers.cart.state?.isConfirmed == true)
        shop.connection = .down
        let shown = try await managers.cart.add(sku: "b", quantity: 3)
        #expect(shown.quantities == ["a 2", "b 3"])
        #expect(shown.totals.total == Fixture.euros(2750))
        #expect(shown == managers.cart.state?.cart.value)
        let state = try #require(managers.cart.state)
        #expect(state.pendingCount == 1 && !state.isConfirmed)
        _ = try await managers.cart.set(sku: "a", quantity: 1)
        let left = try await managers.cart.remove(sku: "b")
        #expect(left.quantities == ["a 1"] && left.totals.total == Fixture.euros(1000))
        #expect(managers.cart.state?.pendingCount == 3)
        #expect(shop.effects == ["add a 2"])
    }

    @Test func `an edit that cannot be shown offline fails, and is not sent later`() async throws {
        let store = MemoryStore()
        let managers = try await ManagersUnderTest.opened(over: shop, local: store)
        shop.connection = .down
        // The server is known to be offline now, so nothing is sent.
        _ = try? await managers.cart.refresh()
        #expect(await thrownReason { try await managers.cart.add(sku: "unknown") } == .unreachable)
        #expect(await thrownReason { try await managers.cart.set(sku: "unknown", quantity: 2) } == .unreachable)
        #expect(await thrownReason { try await managers.cart.setDiscount(code: "SPRING") } == .unreachable)
        #expect(await store.pendingWrites(of: ada).isEmpty)
        #expect(managers.cart.state?.isConfirmed == true)
    }

    @Test func `an edit that was sent stays pending although it cannot be shown, and is executed once`() async throws {
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: MemoryStore(), clock: ManualClock())
        shop.connection = .losesAnswers
        await #expect(throws: DataError.self) { try await managers.cart.add(sku: "unknown") }
        #expect(shop.effects.isEmpty)
        shop.connection = .up
        try await managers.cart.refresh()
        shop.connection = .losesAnswers
        #expect(try await managers.cart.add(sku: "unknown", quantity: 2).lines.isEmpty)
        #expect(managers.cart.state?.pendingCount == 1)
        shop.connection = .up
        #expect(try await managers.cart.refresh().quantities == ["unknown 2"])
        #expect(shop.effects == ["add unknown 2"])
        #expect(managers.cart.state?.isConfirmed == true)
    }

    @Test(arguments: [0, -1, 1000, Int.max])
    func `an invalid quantity is refused offline as it is online`(_ quantity: Int) async throws {
        let managers = try await ManagersUnderTest.opened(over: shop, local: await MemoryStore.holding("a"))
        try await managers.cart.add(sku: "a")
        shop.connection = .down
        let error = await #expect(throws: DataError.self) { try await managers.cart.add(sku: "a", quantity: quantity) }
        guard case .validation(let fields)? = error?.reason else { throw CocoaError(.coderInvalidValue) }
        #expect(fields.map(\.field) == ["quantity"])
        #expect(managers.cart.state?.cart.quantities == ["a 1"])
    }

    @Test func `an overflow of the totals is an error, not a wrong sum`() async throws {
        let dear = Fixture.product(sku: "dear", price: Int64.max / 2)
        let managers = try await ManagersUnderTest.opened(over: shop, local: await MemoryStore.holding([dear]))
        shop.connection = .down
        try await managers.cart.add(sku: "dear", quantity: 2)
        await #expect(throws: DataError.self) { try await managers.cart.add(sku: "dear") }
        #expect(managers.cart.state?.cart.quantities == ["dear 2"])
    }

    /// A defect of the original system: removing ignored the size and took the first match, and adding twice
    /// made two lines.
    @Test func `removing takes the line of the SKU, and adding twice makes one line`() async throws {
        let store = await MemoryStore.holding([Product.sample(sku: "shirt", sizes: ["S", "M"])])
        let managers = try await ManagersUnderTest.opened(over: shop, local: store)
        shop.connection = .down
        try await managers.cart.add(sku: "shirt-s")
        try await managers.cart.add(sku: "shirt-m")
        #expect(try await managers.cart.add(sku: "shirt-s").quantities == ["shirt-s 2", "shirt-m 1"])
        #expect(try await managers.cart.remove(sku: "shirt-m").quantities == ["shirt-s 2"])
    }
}
