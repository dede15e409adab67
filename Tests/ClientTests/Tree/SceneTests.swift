import ClientTesting
import Foundation
import PouchApp
import PouchClient
import PouchTesting
import Testing

/// Two scenes of an app: two trees over one client. Each notice is shown once, in one of them.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SceneTests {
    private typealias Scene = (app: AppCoordinator, surface: RecordingSurface)

    private func notices(_ test: ShopUnderTest, _ scene: Scene) -> [String] {
        test.surface.noticeTexts + scene.surface.noticeTexts
    }

    @Test func `the end of a session elsewhere is shown in one scene`() async throws {
        let test = try ShopUnderTest(.ada)
        let scene = test.startApp(sections: ShopSections())
        try await test.record.until { scene.app.status.visitor != .signedOut && test.app.status.visitor != .signedOut }
        test.shop.answer(Contract.profile) { _ in .problem(.tokenExpired) }
        test.shop.answer(Contract.refreshSession) { _ in .problem(.tokenExpired) }
        _ = try? await test.client.account.profile()
        try await test.record.until { !notices(test, scene).isEmpty }
        try await test.record.until { test.surface.isSignedOut && scene.surface.isSignedOut }
        #expect(notices(test, scene).count == 1)
        #expect(notices(test, scene).first?.hasPrefix("You were signed out") == true)
    }

    @Test func `a stored session that cannot be read is shown`() async throws {
        let test = try ShopUnderTest(isReady: false)
        let server = try #require(URL(string: "http://shop.test"))
        test.app.dependency = AppDependency(
            Pouch(server: server, transport: test.shop, sessionStore: BrokenSessionStore()))
        // It restores the session again, after the tree has done so.
        await #expect(throws: ScreenFailure.self) { try await test.app.open(.profile) }
        try await test.record.until { !test.surface.noticeTexts.isEmpty }
        #expect(test.surface.noticeTexts.count == 1)
    }

    @Test func `an edit that the shop refuses after an outage is shown in one scene`() async throws {
        let test = try ShopUnderTest(.ada, store: MemoryStore())
        let scene = test.startApp(sections: ShopSections())
        let cart = try await test.fillCart()
        try await scene.app.open(.cart)
        try await test.record.until { (scene.surface.screens.last as? RecordingCartScreen)?.cart.value?.unitCount == 2 }
        test.shop.connection = .down
        try await cart.send(EditCart.set(sku: "rosa-1", quantity: 5))
        test.shop.setStock("rosa-1", 1)
        test.shop.connection = .up
        try await test.record.until { !notices(test, scene).isEmpty }
        try await test.record.until { cart.status.cart.pendingChanges == 0 }
        #expect(notices(test, scene).count == 1)
        #expect(notices(test, scene).first?.contains("The quantity of rosa-1 could not be set to 5.") == true)
    }
}

extension RecordingSurface {
    fileprivate var noticeTexts: [String] { screens.flatMap { ($0 as? RecordingScreen)?.notices ?? [] }.map(\.text) }

    fileprivate var isSignedOut: Bool { (screens.last as? RecordingScreen)?.status.visitor == .signedOut }
}
