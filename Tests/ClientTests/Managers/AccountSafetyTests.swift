import PouchClient
import PouchTesting
import Testing

/// Forgotten passwords, e-mail addresses, sessions and the export, over a shop in memory.
@Suite(.timeLimit(.minutes(5)))
struct AccountSafetyTests {
    private static let email = "ada@example.org"

    private let shop = TestShop(products: [.sample(sku: "hat-1")])

    private func signedUp() async throws -> Pouch {
        let pouch = Pouch(testing: shop)
        try await pouch.account.signUp(name: "Ada", email: Self.email, password: "secret words")
        return pouch
    }

    @Test func `a forgotten password is replaced with the token of a mail, which ends all sessions`() async throws {
        let ada = try await signedUp()
        let other = Pouch(testing: shop).account
        try await other.requestPasswordReset(email: Self.email)
        let mailed = try #require(shop.world.mailedTokens.last)
        #expect(mailed.purpose == .passwordReset && mailed.email == Self.email)
        #expect(await thrownReason { try await other.resetPassword(token: "wrong", to: "new words") } == .linkInvalid)
        let token = mailed.token
        let tooShort = await thrownReason { try await other.resetPassword(token: token, to: "1") }
        guard case .validation(let fields)? = tooShort else { throw CancellationError() }
        #expect(fields.map(\.field) == ["newPassword"])
        try await other.resetPassword(token: token, to: "new words")
        #expect(await thrownReason { try await other.resetPassword(token: token, to: "new words") } == .linkInvalid)
        #expect(await thrownReason { _ = try await ada.account.profile() } == .sessionEnded)
        #expect(ada.account.session == nil)
        try await other.signIn(email: Self.email, password: "new words")
    }

    @Test func `asking for a new password of an unknown address succeeds, and sends nothing`() async throws {
        try await Pouch(testing: shop).account.requestPasswordReset(email: "unknown@example.org")
        #expect(shop.world.mailedTokens.isEmpty)
    }

    @Test func `a verified address is in the session's profile at once`() async throws {
        let ada = try await signedUp()
        #expect(ada.account.session?.profile?.emailVerified == false)
        try await ada.account.requestVerification()
        let token = try #require(shop.world.mailedTokens.last?.token)
        try await ada.account.verifyEmail(token: token)
        #expect(ada.account.session?.profile?.emailVerified == true)
        #expect(await thrownReason { try await ada.account.requestVerification() } == .alreadyVerified)
        #expect(await thrownReason { try await ada.account.verifyEmail(token: token) } == .linkInvalid)
    }

    @Test func `another address counts once its token is confirmed, also on a device without a session`() async throws {
        let ada = try await signedUp()
        #expect(
            await thrownReason { try await ada.account.changeEmail(to: "new@example.org", password: "wrong words") }
                == .wrongPassword)
        try await ada.account.changeEmail(to: "new@example.org", password: "secret words")
        #expect(try await ada.account.profile().email == Self.email)
        let token = try #require(shop.world.mailedTokens.last?.token)
        let other = Pouch(testing: shop)
        try await other.account.verifyEmail(token: token)
        #expect(other.account.session == nil)
        #expect(try await ada.account.profile().email == "new@example.org")
        try await other.account.signIn(email: "new@example.org", password: "secret words")
    }

    @Test func `sessions are listed and ended, the current one as by signing out`() async throws {
        let ada = try await signedUp()
        let other = Pouch(testing: shop)
        try await other.account.signIn(email: Self.email, password: "secret words")
        let sessions = try await ada.account.activeSessions().items
        #expect(sessions.count == 2 && sessions.filter(\.isCurrent).map(\.id) == [ada.account.session?.id])
        let lost = try #require(sessions.first { !$0.isCurrent })
        try await ada.account.endSession(id: lost.id)
        #expect(await thrownReason { _ = try await other.account.profile() } == .sessionEnded)
        #expect(await thrownReason { try await ada.account.endSession(id: lost.id) } == .notFound)
        try await ada.account.endSession(id: try #require(ada.account.session?.id))
        #expect(ada.account.session == nil)
        #expect(shop.requests(to: Contract.signOut).count == 1)
    }

    @Test func `the export has what the account has`() async throws {
        let ada = try await signedUp()
        let address = try await ada.account.addAddress(.sample())
        let export = try await ada.account.export()
        #expect(export.profile.email == Self.email && export.addresses == [address])
        #expect(export.sessions.map(\.isCurrent) == [true])
    }

    @Test func `a shop that asks for a verified address says so`() async throws {
        let ada = try await signedUp()
        try await ada.cart.add(sku: "hat-1")
        let cart = try await ada.cart.setShipping(methodId: "standard", to: .sample())
        shop.failNext(Contract.checkout, with: .problem(.emailUnverified))
        let refused = await thrownReason { _ = try await ada.checkout.pay(for: cart, with: .card(token: "tok_ok")) }
        #expect(refused == .emailUnverified)
    }
}
