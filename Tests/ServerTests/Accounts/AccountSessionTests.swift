import ServerTesting
import Testing

@Suite("The sessions of an account", .behindProxy([]))
struct AccountSessionTests {
    private let shop = TestShop.current

    private func list(_ caller: Caller) async throws -> [AccountSession] {
        try await caller.call(Contract.accountSessions).good().items
    }

    /// Signs in from an address, as behind a proxy that the shop trusts.
    private func signIn(from address: String, _ userAgent: String?) async throws -> Caller {
        var headers = ["X-Forwarded-For": address]
        headers["User-Agent"] = userAgent
        let request = SignInRequest(email: "ada@example.com", password: .password)
        return shop.caller(try await shop.anyone.call(Contract.signIn, request, headers: headers).good())
    }

    @Test func `The list has each session with its client and network, the latest first`() async throws {
        _ = try await shop.customer()
        let start = shop.clock.now
        shop.clock.advance(by: 60)
        let phone = try await signIn(from: "192.0.2.7", "kiosk/1.2")
        shop.clock.advance(by: 60)
        _ = try await signIn(from: "2001:db8:0:12::1", nil)
        let sessions = try await list(phone)
        #expect(sessions.map(\.network) == ["2001:db8:0:12::/64", "192.0.2.7", "127.0.0.1"])
        #expect(sessions.dropLast().map(\.userAgent) == [nil, "kiosk/1.2"])
        #expect(sessions.map(\.isCurrent) == [false, true, false])
        #expect(sessions.map(\.createdAt) == [start.addingTimeInterval(120), start.addingTimeInterval(60), start])
        #expect(sessions.map(\.lastUsedAt) == sessions.map(\.createdAt))
        #expect(sessions[1].id == phone.session?.id)
        #expect(try await phone.pages(Contract.accountSessions, limit: 2).flatMap(\.self) == sessions)
    }

    @Test func `A refresh stores its time, client and network as the session's last use`() async throws {
        let customer = try await shop.customer()
        shop.clock.advance(by: 600)
        let next = try await shop.anyone.call(
            Contract.refreshSession, RefreshRequest(refreshToken: try customer.refreshToken),
            headers: ["X-Forwarded-For": "198.51.100.9", "User-Agent": "phone/2"]
        ).good()
        let session = try #require(try await list(shop.caller(next)).first)
        #expect(session.network == "198.51.100.9" && session.userAgent == "phone/2")
        #expect(session.lastUsedAt.timeIntervalSince(session.createdAt) == 600)
    }

    @Test func `A client's name has no control characters and at most 200 characters`() async throws {
        let origin = SessionOrigin(
            network: "", userAgent: " a\u{1B}[31mb\u{202E}c\u{7F}\u{300}\n" + String(repeating: "x", count: 10_000))
        let agent = try #require(origin.userAgent)
        #expect(agent.hasPrefix("a[31mbcx") && agent.unicodeScalars.count <= 200)
        #expect(origin.network == nil)
        #expect(SessionOrigin(network: "", userAgent: "\u{7}\n ").userAgent == nil)
        for (address, text) in [
            ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:db8:0:0::/64"),
        ] {
            let network = try #require(NetworkAddress(address)).network
            #expect(SessionOrigin(network: network, userAgent: nil).network == text)
        }
    }

    @Test func `Ended and expired sessions are not in the list`() async throws {
        let first = try await shop.customer()
        try await shop.signIn().signOut()
        #expect(try await list(first).map(\.id) == [first.session?.id])
        shop.clock.advance(by: 30 * 24 * 3_600 + 1)
        let third = try await shop.signIn()
        #expect(try await list(third).map(\.id) == [third.session?.id])
    }

    @Test func `The owner ends a session, whose tokens are refused at once`() async throws {
        let (mine, lost) = (try await shop.customer(), try await shop.signIn())
        let id = try #require(lost.session?.id)
        try await mine.call(Contract.endSession, path: ["id": id]).good()
        try await lost.profile().problem(.unauthenticated)
        try await shop.refresh(lost.refreshToken).problem(.unauthenticated)
        try await mine.call(Contract.endSession, path: ["id": id]).problem(.notFound)
        try await mine.call(Contract.endSession, path: ["id": #require(mine.session?.id)]).good()
        try await mine.profile().problem(.unauthenticated)
    }

    @Test func `A customer cannot list or end the sessions of another account, or of a guest`() async throws {
        let (ada, bob) = (try await shop.customer(), try await shop.customer("bob@example.com"))
        let guest = try await shop.guest()
        for other in [bob, guest] {
            let id = try #require(other.session?.id)
            try await ada.call(Contract.endSession, path: ["id": id]).problem(.notFound)
            #expect(try await !list(ada).contains { $0.id == id })
        }
        try await bob.profile().good()
        try await guest.call(Contract.cart).good()
        try await guest.call(Contract.accountSessions).problem(.forbidden)
    }

    // MARK: Sign-ins from new networks

    private func signIn(from network: String) async throws {
        _ = try await shop.services.accounts.signIn(
            email: "ada@example.com", password: .password, network: network, userAgent: "kiosk/1.2", guest: nil)
        shop.clock.advance(by: 1)
    }

    @Test func `The account's owner gets one mail about sign-ins from a new network`() async throws {
        _ = try await shop.services.accounts.signUp(
            name: "Ada", email: "ada@example.com", mobileNumber: nil, password: .password, network: "192.0.2.1")
        try await shop.services.accounts.verifyEmail(token: shop.token(.emailVerification))
        try await signIn(from: "192.0.2.1")
        #expect(try await shop.mails(.newSignIn).isEmpty)
        let at = shop.clock.now
        for _ in 0..<2 { try await signIn(from: "198.51.100.1") }
        let mails = try await shop.mails(.newSignIn)
        #expect(mails.map(\.recipient) == ["ada@example.com"])
        #expect(mails.first?.content.signIn == .init(at: at, address: "198.51.100.1", agent: "kiosk/1.2"))
    }

    @Test func `The owner gets no mail about the account's first sign-in or a wrong password`() async throws {
        try await shop.create()
        try await signIn(from: "192.0.2.1")
        #expect(try await shop.signIn("wrong words", network: "198.51.100.1") == .invalid)
        #expect(try await shop.mails(.newSignIn).isEmpty)
    }

    @Test func `Twenty networks are remembered, the latest ones`() async throws {
        try await shop.create()
        for network in 0..<21 { try await signIn(from: "192.0.2.\(network)") }
        #expect(try await shop.mails(.newSignIn).count == 20)
        #expect(try await shop.rows("SELECT 1 FROM known_networks").count == 20)
        try await signIn(from: "192.0.2.1")
        #expect(try await shop.mails(.newSignIn).count == 20)
        try await signIn(from: "192.0.2.0")
        #expect(try await shop.mails(.newSignIn).count == 21)
    }
}
