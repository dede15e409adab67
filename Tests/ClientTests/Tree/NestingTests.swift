import PouchApp
import PouchClient
import PouchCoordination
import PouchEntities
import PouchScreens
import Testing

/// Payments from every place of the tree that may lead to one.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct NestingTests {
    @Test(arguments: Nesting.allCases)
    func `a payment runs below any coordinator, to its confirmation there`(_ nesting: Nesting) async throws {
        let test = try ShopUnderTest()
        let (place, screen) = try await nesting.open(in: test)
        try await screen.buyNow(StubShop.rosa)
        #expect(place.child(PaymentCoordinator.self) != nil)
        let payment = try await test.deliver(try await test.top { $0.methods.value != nil })
        try await payment.pay()
        try await test.top(FakeConfirmation.self)
        #expect(place.isActive && place.child(PaymentCoordinator.self) == nil)
    }

    @Test(arguments: Nesting.allCases)
    func `going back from a payment leads to where it began`(_ nesting: Nesting) async throws {
        let test = try ShopUnderTest()
        let (place, screen) = try await nesting.open(in: test)
        try await screen.buyNow(StubShop.rosa)
        _ = try await test.deliver(try await test.top { $0.methods.value != nil })
        test.surface.top.goBack(2)
        #expect(test.surface.top.screens.last === screen)
        #expect(place.isActive && place.children.isEmpty || place === test.app)
    }
}
