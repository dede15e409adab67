import Foundation
import PouchApp
import PouchClient
import PouchScreens
import Testing

/// What is read twice at once, and answered in reverse.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ReadingOrderTests {
    /// Reads what the screen shows, and holds the request before the shop answers it.
    private func beginReading(
        _ screen: FakeScreen, _ path: String, in shop: StubShop
    ) async -> (reading: Task<Void, any Error>, gate: Gate) {
        let gate = Gate()
        shop.hold(path, at: gate)
        let reading = Task { try await screen.refresh() }
        await gate.held(1)
        shop.letPass()
        return (reading, gate)
    }

    private func openOrder(in test: ShopUnderTest) async throws -> FakeOrder {
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        try await test.top(FakeHome.self).show(.order(id: "ord_1"))
        return try await test.top { $0.order.value != nil && !$0.order.isLoading }
    }

    @Test func `of two readings of an order the one that began last is shown`() async throws {
        let test = try ShopUnderTest(.ada)
        let screen = try await openOrder(in: test)
        let earlier = await beginReading(screen, "/v1/orders/ord_1", in: test.shop)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order(status: .fulfilled)] }
        try await screen.refresh()
        #expect(screen.order.value?.status == .fulfilled)
        // What the earlier one answers is from before.
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order(status: .paid)] }
        earlier.gate.open()
        try await earlier.reading.value
        #expect(screen.order == LoadState(Fixture.order(status: .fulfilled)))
    }

    @Test func `an order that was cancelled stays so, whatever is answered that was asked before`() async throws {
        let test = try ShopUnderTest(.ada)
        let screen = try await openOrder(in: test)
        let earlier = await beginReading(screen, "/v1/orders/ord_1", in: test.shop)
        try await screen.send(to: (any OrderMessages).self) { try await $0.orderCancel() }
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        earlier.gate.open()
        try await earlier.reading.value
        #expect(screen.order.value?.status == .cancelled)
        #expect(!screen.order.isLoading)
    }

    @Test func `of two readings of what is to be paid the one that began last is shown, and paid`() async throws {
        let test = try ShopUnderTest()
        try await test.top(FakeHome.self) { $0.promotions.value != nil }.buyNow(StubShop.rosa)
        let payment = try await test.deliver(try await test.top { $0.methods.value != nil })
        let path = try #require(test.shop.requests.last { $0.method == "POST" }?.url.path())
        let earlier = await beginReading(payment, path, in: test.shop)
        test.shop.setPrice("rosa-1", 1100)
        try await payment.refresh()
        test.shop.setPrice("rosa-1", 1000)
        earlier.gate.open()
        try await earlier.reading.value
        #expect(payment.purchase.value?.totals.total == Fixture.euros(1100))
        test.shop.setPrice("rosa-1", 1100)
        try await payment.pay()
        try await test.top(FakeConfirmation.self)
    }
}
