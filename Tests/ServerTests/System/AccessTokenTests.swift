import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchStorage
import PouchWire
import Testing

@testable import PouchServer

@Suite("Access tokens")
struct TokenTests {
    @Test func `A token that was signed with a stolen key cannot make more of a session than it is`() async throws {
        try await TestShop.open([]) { shop in
            let (guest, ada) = (try await shop.guest(), try await shop.customer())
            _ = try await shop.customer("bob@example.com")
            let accounts = try await shop.rows("SELECT id FROM accounts WHERE email = 'bob@example.com'")
            let bob = try #require(try accounts.first?.text(0))
            let tokens = JWTAccessTokens(
                keyRing: shop.services.keyRing, digests: shop.environment.digests, time: shop.clock)
            func forged(_ session: UserSession?, _ kind: SessionKind, account: String?) throws -> Caller {
                var session = try #require(session)
                let record = SessionRecord(
                    id: session.id, kind: kind, accountId: account, email: nil, createdAt: shop.clock.now)
                let token = try tokens.issue(for: record, expiresAt: shop.clock.now.addingTimeInterval(900))
                session = UserSession(
                    id: session.id, kind: session.kind, profile: nil,
                    remoteSession: RemoteSession(
                        accessToken: token, accessTokenExpiresAt: session.remoteSession.accessTokenExpiresAt,
                        refreshToken: "", refreshTokenExpiresAt: session.remoteSession.refreshTokenExpiresAt))
                return shop.caller(session)
            }
            try await forged(guest.session, .guest, account: nil).call(Contract.cart).good()
            try await forged(guest.session, .admin, account: nil).call(Contract.allOrders).problem(.unauthenticated)
            try await forged(guest.session, .admin, account: nil)
                .call(Contract.updateVariant, VariantPatch(available: 1), path: ["sku": "cap"]).problem(
                    .unauthenticated)
            try await forged(ada.session, .customer, account: bob).call(Contract.profile).problem(.unauthenticated)
            // Signing in would otherwise move another's cart into one's own account.
            let signIn = SignInRequest(email: "ada@example.com", password: .password)
            let moved = try await forged(guest.session, .guest, account: bob).call(Contract.signIn, signIn).good()
            #expect(moved.profile?.email == "ada@example.com")
            try await guest.call(Contract.cart).good()
            try await forged(ada.session, .customer, account: bob).call(
                Contract.updateProfile, ProfilePatch(name: "Eve")
            )
            .problem(.unauthenticated)
        }
    }

    @Test func `A session ends a year after it began, however often it was refreshed`() async throws {
        try await TestShop.open([], runsJobs: false) { shop in
            var session = try #require(try await shop.customer().session)
            for _ in 0..<13 {
                shop.clock.advance(by: 28 * 86_400)
                session = try await shop.anyone.call(
                    Contract.refreshSession, RefreshRequest(refreshToken: session.remoteSession.refreshToken)
                ).good()
            }
            shop.clock.advance(by: 2 * 86_400)
            try await shop.anyone.call(
                Contract.refreshSession, RefreshRequest(refreshToken: session.remoteSession.refreshToken)
            ).problem(.tokenExpired)
        }
    }

    @Test func `An access token is valid for fifteen minutes`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let tokens = try #require(customer.session?.remoteSession)
            #expect(tokens.accessTokenExpiresAt == shop.clock.now.addingTimeInterval(15 * 60))
            #expect(tokens.refreshTokenExpiresAt == shop.clock.now.addingTimeInterval(30 * 24 * 3600))
            shop.clock.advance(by: 15 * 60 - 1)
            try await customer.call(Contract.profile).good()
            shop.clock.advance(by: 1)
            try await customer.call(Contract.profile).problem(.tokenExpired)
            try await customer.call(Contract.cart).problem(.tokenExpired)
        }
    }

    @Test func `A token with any change is refused`() async throws {
        try await TestShop.open([]) { shop in
            let token = try #require(try await shop.customer().session?.remoteSession.accessToken)
            let parts = token.split(separator: ".").map(String.init)
            let header = try #require(Data(base64URL: parts[0]).flatMap { String(data: $0, encoding: .utf8) })
            let noAlgorithm = Data(header.replacing("HS256", with: "none").utf8).base64URL
            let otherKey = Data(header.replacing(#/"kid":"[^"]*"/#, with: #""kid":"0000000000000000""#).utf8).base64URL
            let payload = try #require(Data(base64URL: parts[1]).flatMap { String(data: $0, encoding: .utf8) })
            let longer = Data(payload.replacing(#/"exp":\d+/#, with: #""exp":99999999999"#).utf8).base64URL
            let flipped = String(parts[2].reversed())
            for forged in [
                "\(noAlgorithm).\(parts[1]).", "\(noAlgorithm).\(parts[1]).\(parts[2])",
                "\(otherKey).\(parts[1]).\(parts[2])", "\(parts[0]).\(longer).\(parts[2])",
                "\(parts[0]).\(parts[1]).\(flipped)", "\(parts[0]).\(parts[1])", "\(token)x", "x\(token)",
                "\(parts[0]).\(parts[1]).",
            ] {
                try await shop.anyone.send("GET", "/v1/cart", headers: ["Authorization": "Bearer " + forged])
                    .problem(.unauthenticated)
            }
        }
    }

    @Test func `A token of another shop is refused`() async throws {
        let token = Box<String>()
        try await TestShop.open([]) { other in
            await token.set(try await other.guest().session?.remoteSession.accessToken)
        }
        try await TestShop.open([]) { shop in
            let foreign = try #require(await token.value)
            try await shop.anyone.send("GET", "/v1/cart", headers: ["Authorization": "Bearer " + foreign])
                .problem(.unauthenticated)
        }
    }

    @Test func `The token of an ended session is refused`() async throws {
        try await TestShop.open([]) { shop in
            let guest = try await shop.guest()
            try await guest.call(Contract.signOut).good()
            try await guest.call(Contract.cart).problem(.unauthenticated)
            try await guest.call(Contract.signOut).problem(.unauthenticated)
        }
    }

    @Test func `A token in Pouch-Access-Token counts, and Authorization belongs to a proxy then`() async throws {
        try await TestShop.open([]) { shop in
            let (ada, bob) = (try await shop.customer(), try await shop.customer("bob@example.com"))
            let (own, other) = (
                try #require(ada.session?.remoteSession.accessToken),
                try #require(bob.session?.remoteSession.accessToken)
            )
            for authorization in [nil, "Basic dXNlcjpwYXNz", "Bearer nonsense", "Bearer \(other)", "Bearer \(own)"] {
                var headers = [HeaderName.accessToken: own]
                headers["Authorization"] = authorization
                let profile = try await shop.anyone.send("GET", "/v1/account", headers: headers)
                #expect(profile.status == 200 && profile.text.contains("ada@example.com"), "\(authorization ?? "none")")
            }
            for token in ["", " ", "nonsense", "Bearer \(own)", "\(own), \(own)", "\(own)x"] {
                try await shop.anyone.send(
                    "GET", "/v1/account", headers: [HeaderName.accessToken: token, "Authorization": "Bearer \(own)"]
                ).problem(.unauthenticated)
            }
        }
    }

    @Test func `A guest signs up behind a proxy that passes its password on, and keeps the cart`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let token = try #require(guest.session?.remoteSession.accessToken)
            try await guest.call(Contract.addCartLine, LineRequest(sku: "cap", quantity: 1)).good()
            let proxy = ["Authorization": "Basic dXNlcjpwYXNz"]
            try await shop.anyone.call(
                Contract.signUp, .sample("ada@example.com"),
                headers: proxy.merging([HeaderName.accessToken: token]) { $1 }
            ).good()
            let signIn = SignInRequest(email: "ada@example.com", password: .password)
            let session = try await shop.anyone.call(Contract.signIn, signIn, headers: proxy).good()
            let own = [HeaderName.accessToken: session.remoteSession.accessToken]
            let cart = try await shop.anyone.call(Contract.cart, headers: proxy.merging(own) { $1 }).good()
            #expect(cart.lines.map(\.sku) == ["cap"])
        }
    }

    @Test func `Public endpoints ignore tokens`() async throws {
        try await TestShop.open { shop in
            for path in ["/v1/products", "/v1/seasons", "/health/live", "/v1/availability?sku=cap"] {
                let answer = try await shop.anyone.send("GET", path, headers: ["Authorization": "Bearer nonsense"])
                #expect(answer.status == 200)
            }
        }
    }

    @Test func `A server that has just started accepts its first tokens, even forty at once`() async throws {
        try await TestShop.open([]) { shop in
            let guest = try #require(try await shop.guest().session)
            for _ in 0..<10 {
                try await shop.another { other in
                    let statuses = try await parallel(40) { _ in
                        try await other.caller(guest).call(Contract.cart).status
                    }
                    #expect(statuses.allSatisfy { $0 == 200 })
                }
            }
        }
    }
}

/// An access token is valid for minutes, but only while its session lasts.
@Suite("Ended sessions")
struct EndedSessionTests {
    /// The endpoints with a token and without a JSON body, which would be checked first.
    private static let endpoints = Contract.all.filter {
        $0.endpoint.access != .anyone && ($0.bodyType == nil || $0.bodyType == RawBytes.self)
    }.map(\.endpoint)

    @Test(arguments: endpoints)
    func `Every endpoint refuses the token of an ended session`(endpoint: Endpoint) async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            try await admin.call(Contract.signOut).good()
            let path = endpoint.template.path(["sku": "cap", "id": "x"])
            let query = endpoint == .importCatalog ? "?format=shopify-csv" : ""
            try await admin.send(
                endpoint.method.rawValue, path + query, headers: [HeaderName.idempotencyKey: "k"]
            ).problem(.unauthenticated)
        }
    }
}

@Suite("JSON Web Tokens")
struct JWTAccessTokensTests {
    private static let keyId = "0123456789abcdef"
    private static let secret = Data(repeating: 7, count: 32)
    /// The time at which `earlierToken` was issued.
    private static let issued = Date(timeIntervalSince1970: 1_795_345_272)
    private static let sessionId = "ses_06h05tpfy54v7spmb29ypnvfxr"

    /// Issued with this key by a server that used jwt-kit.
    private static let earlierToken =
        "eyJ0eXAiOiJKV1QiLCJraWQiOiIwMTIzNDU2Nzg5YWJjZGVmIiwiYWxnIjoiSFMyNTYifQ."
        + "eyJraW5kIjoiZ3Vlc3QiLCJleHAiOjE3OTUzNDYxNzMsImlhdCI6MTc5NTM0NTI3Miwic3ViIjoic2VzXzA2aDA1dHBmeTU0djdzcG1iMjl5"
        + "cG52ZnhyIiwic2lkIjoic2VzXzA2aDA1dHBmeTU0djdzcG1iMjl5cG52ZnhyIn0.WkLLzAqDUFHgnjv_L2_a86GpGdTCB4KLDls5lTR-_4Q"

    private struct FixedTime: TimeSource {
        let now: Date
    }

    private func open(
        secondsLater: TimeInterval = 0, _ body: @escaping @Sendable (JWTAccessTokens, any Digests) async throws -> Void
    ) async throws {
        try await TestShop.open([]) { shop in
            let environment = shop.environment
            try await environment.store.write { [now = shop.clock.now] repositories in
                try repositories.keys.insert(SigningKey(id: Self.keyId, secret: Self.secret, createdAt: now + 1))
            }
            let tokens = JWTAccessTokens(
                keyRing: try await KeyRing(environment), digests: environment.digests,
                time: FixedTime(now: Self.issued + secondsLater))
            try await body(tokens, environment.digests)
        }
    }

    /// A token with any header and claims, signed with a key that is derived as the server does.
    private func token(
        _ header: String, _ claims: String, secret: Data = Self.secret, _ digests: any Digests
    ) -> String {
        let signed = Data(header.utf8).base64URL + "." + Data(claims.utf8).base64URL
        let key = digests.hmacSHA256(Data("access token".utf8), key: secret)
        return signed + "." + digests.hmacSHA256(Data(signed.utf8), key: key).base64URL
    }

    private static let header = #"{"alg":"HS256","kid":"\#(keyId)","typ":"JWT"}"#
    private static let claims = #"{"exp":1795346173,"iat":1795345272,"kind":"guest","sid":"s","sub":"s"}"#

    @Test func `A token from before the change of library is valid until it expires`() async throws {
        let principal = Principal(sessionId: Self.sessionId, kind: .guest, ownerId: Self.sessionId)
        for seconds in [0, 900] as [TimeInterval] {
            try await open(secondsLater: seconds) { tokens, _ in
                let verified = try await tokens.verify(Self.earlierToken)
                #expect(verified == principal)
            }
        }
        try await open(secondsLater: 901) { tokens, _ in
            await #expect(throws: DomainError.tokenExpired) { try await tokens.verify(Self.earlierToken) }
        }
    }

    @Test func `A new token has the same claims, algorithm and key id`() async throws {
        try await open { tokens, _ in
            let session = SessionRecord(
                id: "ses_1", kind: .customer, accountId: "acc_1", email: nil, createdAt: Self.issued)
            let parts = try tokens.issue(for: session, expiresAt: Self.issued + 0.5).split(separator: ".")
            #expect(parts.count == 3)
            #expect(Data(base64URL: parts[0]) == Data(Self.header.utf8))
            let claims =
                #"{"exp":1795345273,"iat":1795345272,"kind":"customer","sid":"ses_1","sub":"acc_1"}"#
            #expect(Data(base64URL: parts[1]) == Data(claims.utf8))
            let token = parts.joined(separator: ".")
            #expect(
                try await tokens.verify(token) == Principal(sessionId: "ses_1", kind: .customer, ownerId: "acc_1"))
        }
    }

    @Test func `Only a token that is signed with a known key and HS256 is valid`() async throws {
        try await open { tokens, digests in
            let principal = try await tokens.verify(token(Self.header, Self.claims, digests))
            #expect(principal.ownerId == "s")
            let none = #"{"alg":"none","kid":"\#(Self.keyId)","typ":"JWT"}"#
            let good = token(Self.header, Self.claims, digests).split(separator: ".")
            for forged in [
                token(Self.header, Self.claims, secret: Data(repeating: 8, count: 32), digests),
                "\(good[0]).\(good[1]).", "\(good[0]).\(good[1]).\(good[2].dropLast())",
                "\(good[0]).\(good[1]).\(String(good[2].reversed()))",
                token(none, Self.claims, digests), "\(Data(none.utf8).base64URL).\(good[1]).",
                token(Self.header.replacing("HS256", with: "HS512"), Self.claims, digests),
                token(Self.header.replacing("HS256", with: "hs256"), Self.claims, digests),
                token(#"{"kid":"\#(Self.keyId)"}"#, Self.claims, digests),
                token(#"{"alg":"HS256"}"#, Self.claims, digests),
                token(Self.header.replacing(Self.keyId, with: "ffffffffffffffff"), Self.claims, digests),
            ] {
                await #expect(throws: DomainError.unauthenticated, "\(forged)") { try await tokens.verify(forged) }
            }
        }
    }

    @Test func `Malformed tokens are refused`() async throws {
        try await open { tokens, digests in
            let good = token(Self.header, Self.claims, digests).split(separator: ".")
            for malformed in [
                "", ".", "..", "...", "a.b.c", "\(good[0])", "\(good[0]).\(good[1])",
                "\(good[0]).\(good[1]).\(good[2]).", "\(good[0])=.\(good[1]).\(good[2])",
                "\(good[0]).\(good[1])*.\(good[2])", "\(good[0]).\(good[1]).\(good[2])=",
                "\(good[0]).\(good[1]).\(good[2])!", "\(good[0]).\(good[1]). \(good[2])",
                token("[]", Self.claims, digests), token(Self.header, "[]", digests), token(Self.header, "", digests),
                token(Self.header, #"{"exp":1795346173}"#, digests),
                token(Self.header, Self.claims.replacing("1795346173", with: #""later""#), digests),
            ] {
                await #expect(throws: DomainError.unauthenticated, "\(malformed)") {
                    try await tokens.verify(malformed)
                }
            }
        }
    }

    @Test func `A token without an owner or with an unknown kind counts as expired`() async throws {
        try await open { tokens, digests in
            for claims in [
                Self.claims.replacing(#","sub":"s""#, with: ""), Self.claims.replacing("guest", with: "robot"),
                Self.claims.replacing(#""kind":"guest","#, with: ""),
            ] {
                await #expect(throws: DomainError.tokenExpired, "\(claims)") {
                    try await tokens.verify(token(Self.header, claims, digests))
                }
            }
        }
    }
}
