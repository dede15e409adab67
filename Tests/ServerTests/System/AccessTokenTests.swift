import ServerTesting
import Testing

@testable import PouchServer

extension Caller {
    var accessToken: String { get throws { try #require(session?.remoteSession.accessToken) } }
}

extension TestShop {
    /// Adds a signing key that is newer than the others.
    func addKey(_ id: String = "0123456789abcdef", secret: UInt8 = 7, after seconds: TimeInterval = 1) async throws {
        let key = SigningKey(id: id, secret: Data(repeating: secret, count: 32), createdAt: clock.now + seconds)
        try await store.write { try $0.keys.insert(key) }
    }
}

@Suite("Access tokens", .inShop(runsJobs: false))
struct TokenTests {
    private let shop = TestShop.current

    /// The caller with a token for other claims, signed with the shop's key.
    private func forged(_ caller: Caller, _ kind: SessionKind, account: String? = nil) throws -> Caller {
        let session = try #require(caller.session)
        let now = shop.clock.now
        let record = SessionRecord(id: session.id, kind: kind, accountId: account, email: nil, createdAt: now)
        let tokens = JWTAccessTokens(
            keyRing: shop.services.keyRing, digests: shop.environment.digests, time: shop.clock)
        let remote = RemoteSession(
            accessToken: try tokens.issue(for: record, expiresAt: now.addingTimeInterval(900)),
            accessTokenExpiresAt: session.remoteSession.accessTokenExpiresAt, refreshToken: "",
            refreshTokenExpiresAt: session.remoteSession.refreshTokenExpiresAt)
        return shop.caller(UserSession(id: session.id, kind: session.kind, profile: nil, remoteSession: remote))
    }

    @Test func `A token that was signed with a stolen key cannot raise the rights of a session`() async throws {
        let (guest, ada) = (try await shop.guest(), try await shop.customer())
        let bob = try await shop.customer("bob@example.com").accountId
        try await forged(guest, .guest).call(Contract.cart).good()
        let admin = try forged(guest, .admin)
        try await admin.call(Contract.allOrders).problem(.unauthenticated)
        try await admin.change("cap", available: 1).problem(.unauthenticated)
        // Signing in would otherwise move another's cart into one's own account.
        #expect(try await forged(guest, .guest, account: bob).signIn().good().profile?.email == "ada@example.com")
        try await guest.call(Contract.cart).good()
        let other = try forged(ada, .customer, account: bob)
        try await other.profile().problem(.unauthenticated)
        try await other.call(Contract.updateProfile, ProfilePatch(name: "Eve")).problem(.unauthenticated)
    }

    @Test func `A session ends a year after it began, however often it was refreshed`() async throws {
        var token = try await shop.customer().refreshToken
        for _ in 0..<13 {
            shop.clock.advance(by: 28 * 86_400)
            token = try await shop.refresh(token).good().remoteSession.refreshToken
        }
        shop.clock.advance(by: 2 * 86_400)
        try await shop.refresh(token).problem(.tokenExpired)
    }

    @Test func `An access token is valid for fifteen minutes`() async throws {
        let customer = try await shop.customer()
        let tokens = try #require(customer.session?.remoteSession)
        #expect(tokens.accessTokenExpiresAt == shop.clock.now.addingTimeInterval(15 * 60))
        #expect(tokens.refreshTokenExpiresAt == shop.clock.now.addingTimeInterval(30 * 24 * 3600))
        shop.clock.advance(by: 15 * 60 - 1)
        try await customer.profile().good()
        shop.clock.advance(by: 1)
        try await customer.profile().problem(.tokenExpired)
        try await customer.call(Contract.cart).problem(.tokenExpired)
    }

    @Test func `A token in Pouch-Access-Token is accepted, and Authorization is left to a proxy`() async throws {
        let own = try await shop.customer().accessToken
        let other = try await shop.customer("bob@example.com").accessToken
        for authorization in [nil, "Basic dXNlcjpwYXNz", "Bearer nonsense", "Bearer \(other)", "Bearer \(own)"] {
            var headers = [HeaderName.accessToken: own]
            headers["Authorization"] = authorization
            let profile = try await shop.anyone.send("GET", "/v1/account", headers: headers)
            #expect(profile.status == 200 && profile.text.contains("ada@example.com"), "\(authorization ?? "none")")
        }
        for token in ["", " ", "nonsense", "Bearer \(own)", "\(own), \(own)", "\(own)x"] {
            let headers = [HeaderName.accessToken: token, "Authorization": "Bearer \(own)"]
            try await shop.anyone.send("GET", "/v1/account", headers: headers).problem(.unauthenticated)
        }
    }

    @Test func `WWW-Authenticate names an invalid token as the reason, not a missing one`() async throws {
        #expect(try await shop.anyone.send("GET", "/v1/cart").header("WWW-Authenticate") == "Bearer")
        let wrong = try await shop.anyone.send("GET", "/v1/cart", headers: ["Authorization": "Bearer a.b.c"])
        #expect(wrong.header("WWW-Authenticate") == "Bearer error=\"invalid_token\"")
    }

    @Test func `A guest signs up behind a proxy that passes its password on, and keeps the cart`() async throws {
        let guest = try await shop.guest()
        try await guest.add("cap").good()
        var headers = ["Authorization": "Basic dXNlcjpwYXNz"]
        let signIn = SignInRequest(email: "ada@example.com", password: .password)
        headers[HeaderName.accessToken] = try guest.accessToken
        try await shop.anyone.call(Contract.signUp, .sample(), headers: headers).good()
        headers[HeaderName.accessToken] = nil
        let session = try await shop.anyone.call(Contract.signIn, signIn, headers: headers).good()
        headers[HeaderName.accessToken] = session.remoteSession.accessToken
        #expect(try await shop.anyone.call(Contract.cart, headers: headers).good().lines.map(\.sku) == ["cap"])
    }

    @Test(arguments: ["/v1/products", "/v1/seasons", "/health/live", "/v1/availability?sku=cap"])
    func `Public endpoints ignore tokens`(path: String) async throws {
        #expect(try await shop.anyone.send("GET", path, headers: ["Authorization": "Bearer nonsense"]).status == 200)
    }

    @Test func `A server that has just started accepts its first tokens, even forty at once`() async throws {
        let guest = try #require(try await shop.guest().session)
        for _ in 0..<10 {
            try await shop.another { other in
                let statuses = try await parallel(40) { _ in try await other.caller(guest).call(Contract.cart).status }
                #expect(statuses.allSatisfy { $0 == 200 })
            }
        }
    }
}

/// An access token is valid for minutes, but only while its session lasts.
@Suite("Ended sessions", .inShop())
struct EndedSessionTests {
    /// The endpoints with a token and without a JSON body, which would be checked first.
    private static let endpoints = Contract.all.filter {
        $0.endpoint.access != .anyone && ($0.bodyType == nil || $0.bodyType == RawBytes.self)
    }.map(\.endpoint)

    @Test func `Every endpoint refuses the token of an ended session`() async throws {
        let admin = try await TestShop.current.admin()
        try await admin.signOut()
        for endpoint in Self.endpoints {
            let path = endpoint.template.path(["sku": "cap", "id": "x"])
            let query = endpoint == Contract.importCatalog.endpoint ? "?format=shopify-csv" : ""
            try await admin.send(endpoint.method.rawValue, path + query, headers: .key("k")).problem(.unauthenticated)
        }
    }
}

@Suite("JSON Web Tokens", .inShop([]))
struct JWTAccessTokensTests {
    private static let keyId = "0123456789abcdef"
    /// That of `addKey`.
    private static let secret = Data(repeating: 7, count: 32)
    /// The time at which `earlierToken` was issued.
    private static let issued = Date(timeIntervalSince1970: 1_795_345_272)
    private static let sessionId = "ses_06h05tpfy54v7spmb29ypnvfxr"

    /// Issued with this key by a server that used jwt-kit.
    private static let earlierToken =
        "eyJ0eXAiOiJKV1QiLCJraWQiOiIwMTIzNDU2Nzg5YWJjZGVmIiwiYWxnIjoiSFMyNTYifQ."
        + "eyJraW5kIjoiZ3Vlc3QiLCJleHAiOjE3OTUzNDYxNzMsImlhdCI6MTc5NTM0NTI3Miwic3ViIjoic2VzXzA2aDA1dHBmeTU0djdzcG1iMjl5"
        + "cG52ZnhyIiwic2lkIjoic2VzXzA2aDA1dHBmeTU0djdzcG1iMjl5cG52ZnhyIn0.WkLLzAqDUFHgnjv_L2_a86GpGdTCB4KLDls5lTR-_4Q"

    private static let header = #"{"alg":"HS256","kid":"\#(keyId)","typ":"JWT"}"#
    private static let claims = #"{"exp":1795346173,"iat":1795345272,"kind":"guest","sid":"s","sub":"s"}"#

    private struct FixedTime: TimeSource {
        let now: Date
    }

    private let digests: any Digests
    private let keyRing: KeyRing

    init() async throws {
        let shop = TestShop.current
        try await shop.addKey(Self.keyId)
        (digests, keyRing) = (shop.environment.digests, try await KeyRing(shop.environment))
    }

    private func tokens(secondsLater: TimeInterval = 0) -> JWTAccessTokens {
        JWTAccessTokens(keyRing: keyRing, digests: digests, time: FixedTime(now: Self.issued + secondsLater))
    }

    /// A token with any header and claims, signed with a key that is derived as the server does.
    private func token(_ header: String, _ claims: String, secret: Data = Self.secret) -> String {
        let signed = Data(header.utf8).base64URL + "." + Data(claims.utf8).base64URL
        let key = digests.hmacSHA256(Data("access token".utf8), key: secret)
        return signed + "." + digests.hmacSHA256(Data(signed.utf8), key: key).base64URL
    }

    private func expect(
        _ error: DomainError, for refused: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        for token in refused {
            await #expect(throws: error, "\(token)", sourceLocation: sourceLocation) {
                try await tokens().verify(token)
            }
        }
    }

    @Test func `A token from before the change of library is valid until it expires`() async throws {
        let principal = Principal(sessionId: Self.sessionId, kind: .guest, ownerId: Self.sessionId)
        for seconds in [0, 900] as [TimeInterval] {
            #expect(try await tokens(secondsLater: seconds).verify(Self.earlierToken) == principal)
        }
        await #expect(throws: DomainError.tokenExpired) {
            try await tokens(secondsLater: 901).verify(Self.earlierToken)
        }
    }

    @Test func `A new token has the same claims, algorithm and key id`() async throws {
        let session = SessionRecord(
            id: "ses_1", kind: .customer, accountId: "acc_1", email: nil, createdAt: Self.issued)
        let token = try tokens().issue(for: session, expiresAt: Self.issued + 0.5)
        let claims = #"{"exp":1795345273,"iat":1795345272,"kind":"customer","sid":"ses_1","sub":"acc_1"}"#
        let parts = token.split(separator: ".").map { Data(base64URL: $0) }
        #expect(parts.count == 3 && parts[0] == Data(Self.header.utf8) && parts[1] == Data(claims.utf8))
        #expect(try await tokens().verify(token) == Principal(sessionId: "ses_1", kind: .customer, ownerId: "acc_1"))
    }

    @Test func `Only a token that is signed with a known key and HS256 is valid`() async throws {
        let whole = token(Self.header, Self.claims)
        #expect(try await tokens().verify(whole).ownerId == "s")
        let good = whole.split(separator: ".")
        let none = #"{"alg":"none","kid":"\#(Self.keyId)","typ":"JWT"}"#
        let longer = Data(Self.claims.replacing("1795346173", with: "99999999999").utf8).base64URL
        await expect(
            .unauthenticated,
            for: [
                token(Self.header, Self.claims, secret: Data(repeating: 8, count: 32)), token(none, Self.claims),
                "\(good[0]).\(good[1]).", "\(good[0]).\(good[1]).\(good[2].dropLast())",
                "\(good[0]).\(good[1]).\(String(good[2].reversed()))", "\(good[0]).\(longer).\(good[2])",
                "\(Data(none.utf8).base64URL).\(good[1]).", "\(Data(none.utf8).base64URL).\(good[1]).\(good[2])",
                token(Self.header.replacing("HS256", with: "HS512"), Self.claims),
                token(Self.header.replacing("HS256", with: "hs256"), Self.claims),
                token(#"{"kid":"\#(Self.keyId)"}"#, Self.claims), token(#"{"alg":"HS256"}"#, Self.claims),
                token(Self.header.replacing(Self.keyId, with: "ffffffffffffffff"), Self.claims),
            ])
    }

    @Test func `Malformed tokens are refused`() async throws {
        let whole = token(Self.header, Self.claims)
        let good = whole.split(separator: ".")
        await expect(
            .unauthenticated,
            for: [
                "", ".", "..", "...", "a.b.c", "\(good[0])", "\(good[0]).\(good[1])", whole + ".", whole + "=",
                whole + "!", whole + "x", "x" + whole, "\(good[0])=.\(good[1]).\(good[2])",
                "\(good[0]).\(good[1])*.\(good[2])", "\(good[0]).\(good[1]). \(good[2])", token("[]", Self.claims),
                token(Self.header, "[]"), token(Self.header, ""), token(Self.header, #"{"exp":1795346173}"#),
                token(Self.header, Self.claims.replacing("1795346173", with: #""later""#)),
            ])
    }

    @Test func `A token without an owner or with an unknown kind counts as expired`() async throws {
        let claims = [
            Self.claims.replacing(#","sub":"s""#, with: ""), Self.claims.replacing("guest", with: "robot"),
            Self.claims.replacing(#""kind":"guest","#, with: ""),
        ]
        await expect(.tokenExpired, for: claims.map { token(Self.header, $0) })
    }
}
