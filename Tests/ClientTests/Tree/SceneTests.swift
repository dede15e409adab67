import ClientTesting
import Foundation
import PouchApp
import PouchClient
import PouchCoordination
import PouchScreens
import PouchService
import PouchTesting
import PouchWire
import Testing

/// Two scenes of an app: two trees over one client. Each notice is shown once, in one of them.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SceneTests {
    /// The other scene of the test's app.
    private struct Scene {
        let surface: RecordingSurface
        let app: AppCoordinator

        @MainActor
        init(of test: ShopUnderTest, over client: Pouch? = nil) {
            surface = RecordingSurface(test.record)
            app = AppCoordinator(on: surface, screens: RecordingScreens(test.record))
            app.dependency = AppDependency(client ?? test.client)
            app.start()
        }

        @MainActor var notices: [String] { surface.noticeTexts }
    }

    private func notices(_ test: ShopUnderTest, _ scene: Scene) -> [String] { test.surface.noticeTexts + scene.notices }

    @Test func `the end of a session elsewhere is shown in one scene`() async throws {
        let test = try ShopUnderTest(.ada)
        let scene = Scene(of: test)
        try await test.record.until { scene.app.status.visitor != .signedOut && test.app.status.visitor != .signedOut }
        test.shop.answer(Contract.profile) { _ in .problem(.tokenExpired) }
        test.shop.answer(Contract.refreshSession) { _ in .problem(.tokenExpired) }
        _ = try? await test.client.account.profile()
        try await test.record.until { !notices(test, scene).isEmpty }
        try await test.record.until { test.surface.isSignedOut && scene.surface.isSignedOut }
        #expect(notices(test, scene).count == 1)
        #expect(notices(test, scene).first?.hasPrefix("You were signed out") == true)
    }

    private struct UnreadableStore: SessionStore {
        func load() throws -> Data? { throw CocoaError(.fileReadNoPermission) }
        func save(_ session: Data) {}
        func clear() {}
    }

    @Test func `a stored session that cannot be read`() async throws {
        let test = try ShopUnderTest(isReady: false)
        let server = try #require(URL(string: "http://shop.test"))
        let client = Pouch(server: server, transport: test.shop, sessionStore: UnreadableStore())
        test.app.dependency = AppDependency(client)
        let scene = Scene(of: test, over: client)
        for app in [test.app, scene.app] {
            // It restores the session again, after the tree has done so.
            await #expect(throws: ScreenFailure.self) { try await app.open(.profile) }
        }
        try await test.record.until { !notices(test, scene).isEmpty }
        let later = Scene(of: test, over: client)
        await #expect(throws: ScreenFailure.self) { try await later.app.open(.profile) }
        #expect((notices(test, scene) + later.notices).count == 1)
    }

    @Test func `an edit that the shop refuses after an outage is shown in one scene`() async throws {
        let test = try ShopUnderTest(.ada, store: MemoryStore())
        let scene = Scene(of: test)
        let cart = try await test.fillCart()
        try await scene.app.open(.cart)
        try await test.record.until { (scene.surface.screens.last as? RecordingCartScreen)?.cart.value?.unitCount == 2 }
        test.shop.line = .down
        try await cart.send(SetCartQuantity(sku: "rosa-1", quantity: 5))
        test.shop.setStock("rosa-1", 1)
        test.shop.line = .up
        try await test.record.until { !notices(test, scene).isEmpty }
        try await test.record.until { cart.status.cart.pendingChanges == 0 }
        #expect(notices(test, scene).count == 1)
        #expect(notices(test, scene).first?.contains("The quantity of rosa-1 could not be set to 5.") == true)
    }

    @Test func `an order that is delivered, also after the scene that watched it has closed`() async throws {
        let test = try ShopUnderTest(.ada, isReady: false)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order(rideId: "rid_1")] }
        test.shop.put(Ride.sample(.requested))
        test.app.dependency = AppDependency(test.client)
        let connection = try await test.shop.rideStream()
        let scene = Scene(of: test)
        try await eventually { test.shop.requests(to: Contract.orders).count == 2 }
        connection.send(status: Ride.sample(.accepted))
        try await test.record.until { notices(test, scene) == ["Skippy is picking up your order P-1."] }
        test.shop.put(Ride.sample(.accepted))
        test.app.stop()
        await connection.waitForEnd()
        let next = try await test.shop.rideStream(1)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order(status: .delivered, rideId: "rid_1")] }
        next.send(status: Ride.sample(.completed))
        try await test.record.until { scene.notices == ["Order P-1 was delivered."] }
        #expect(test.shop.rideStreams.count == 2)
    }

    @Test func `a purchase that an earlier process left open`() async throws {
        let store = MemoryStore()
        let first = try ShopUnderTest(.ada, store: store)
        let payment = try await first.goToPayment()
        first.shop.line = .losesAnswers
        await #expect(throws: ScreenFailure.self) { try await payment.pay(email: nil) }
        first.app.stop()
        first.shop.line = .up
        let test = try ShopUnderTest(.ada, isReady: false, shop: first.shop, store: store)
        let scene = Scene(of: test)
        test.app.dependency = AppDependency(test.client)
        try await test.record.until { !notices(test, scene).isEmpty }
        try await test.record.until { scene.app.status.visitor != .signedOut && test.app.status.visitor != .signedOut }
        // A stream waits for the earlier ones of both scenes.
        for await _ in test.client.checkout.settlements(over: test.client.connection) {}
        #expect(notices(test, scene) == ["Your last purchase of 25.00 EUR was completed: it is order P-1."])
        #expect(test.shop.effects.count { $0.hasPrefix("order ") } == 1)
    }
}

extension RecordingSurface {
    fileprivate var noticeTexts: [String] { screens.flatMap { ($0 as? RecordingScreen)?.notices ?? [] }.map(\.text) }

    fileprivate var isSignedOut: Bool { (screens.last as? RecordingScreen)?.status.visitor == .signedOut }
}
