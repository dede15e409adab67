import Foundation
import HummingbirdTesting
import PouchContract
import PouchDomain
import PouchEntities
import PouchServer
import PouchWire
import ServerTesting
import Subprocess
import Testing

@testable import PouchHTTP

@Suite("Clients behind proxies", .timeLimit(.minutes(1)))
struct ForwardedClientTests {
    private func signIn(_ shop: TestShop, _ password: String = .password, for client: String) async throws -> Int {
        try await shop.anyone.call(
            Contract.signIn, SignInRequest(email: "ada@example.com", password: password),
            headers: ["X-Forwarded-For": client]
        ).status
    }

    @Test func `Behind a trusted proxy each client has its own failed sign-ins`() async throws {
        try await TestShop.open(
            [], setup: .live,
            configure: { $0.policy.trustedProxies = TrustedProxies([NetworkRange("127.0.0.1")].compactMap(\.self)) }
        ) { shop in
            _ = try await shop.customer()
            for _ in 0..<10 { #expect(try await signIn(shop, "wrong password", for: "203.0.113.7") == 401) }
            #expect(try await signIn(shop, for: "203.0.113.7") == 429)
            #expect(try await signIn(shop, for: "203.0.113.8") == 201)
            // An address that the client made up stands before the one that the proxy appends.
            #expect(try await signIn(shop, for: "203.0.113.9, 203.0.113.7") == 429)
        }
    }

    @Test func `Without trusted proxies the header does not hide a client`() async throws {
        try await TestShop.open([], setup: .live) { shop in
            _ = try await shop.customer()
            for client in 0..<10 {
                #expect(try await signIn(shop, "wrong password", for: "203.0.113.\(client)") == 401)
            }
            #expect(try await signIn(shop, for: "203.0.113.99") == 429)
        }
    }
}

@Suite("Limits of one network", .timeLimit(.minutes(1)))
struct NetworkLimitTests {
    private static let (near, far) = (["X-Forwarded-For": "203.0.113.7"], ["X-Forwarded-For": "203.0.113.8"])

    /// Opens a shop behind a proxy, so that requests can come from several networks.
    private func open(
        _ change: (inout RequestPolicy) -> Void = { _ in },
        _ body: @escaping @Sendable (TestShop) async throws -> Void
    ) async throws {
        var policy = RequestPolicy()
        policy.trustedProxies = TrustedProxies([NetworkRange("127.0.0.1")].compactMap(\.self))
        change(&policy)
        try await TestShop.open(setup: .live, configure: { $0.policy = policy }, body)
    }

    @Test func `Requests beyond the rate are refused until the network may send again`() async throws {
        try await open({ $0.requests = .init(perSecond: 2, burst: 5) }) { shop in
            for _ in 0..<5 { try await shop.anyone.call(Contract.seasons, headers: Self.near).good() }
            let refused = try await shop.anyone.call(Contract.seasons, headers: Self.near)
            try refused.problem(.tooManyRequests)
            #expect(refused.header(HeaderName.retryAfter) == "1")
            #expect(refused.header(HeaderName.shouldRetry) == "true")
            try await shop.anyone.call(Contract.seasons, headers: Self.far).good()
            try await shop.anyone.call(Contract.healthReady, headers: Self.near).good()
            shop.clock.advance(by: 1)
            for _ in 0..<2 { try await shop.anyone.call(Contract.seasons, headers: Self.near).good() }
            try await shop.anyone.call(Contract.seasons, headers: Self.near).problem(.tooManyRequests)
            // A clock that is set back does not refuse the network for longer.
            shop.clock.advance(by: -86_400)
            try await shop.anyone.call(Contract.seasons, headers: Self.near).problem(.tooManyRequests)
            shop.clock.advance(by: 1)
            try await shop.anyone.call(Contract.seasons, headers: Self.near).good()
        }
    }

    @Test func `Sign-ups, sign-ins and guests share a limit, and existing sessions are not affected`() async throws {
        try await open({ $0.newSessions = .init(perSecond: 1, burst: 4) }) { shop in
            try await shop.anyone.call(Contract.signUp, .sample(), headers: Self.near).good()
            let guest = try await shop.anyone.call(Contract.startGuestSession, headers: Self.near).good()
            for _ in 0..<2 { try await shop.anyone.call(Contract.startGuestSession, headers: Self.near).good() }
            try await shop.anyone.call(Contract.startGuestSession, headers: Self.near).problem(.tooManyRequests)
            try await shop.anyone.call(Contract.signUp, .sample("bob@example.com"), headers: Self.near)
                .problem(.tooManyRequests)
            try await shop.anyone.call(Contract.startGuestSession, headers: Self.far).good()
            try await shop.caller(guest).call(Contract.cart, headers: Self.near).good()
            let signIn = SignInRequest(email: "ada@example.com", password: .password)
            try await shop.anyone.call(Contract.signIn, signIn, headers: Self.near).problem(.tooManyRequests)
            shop.clock.advance(by: 1)
            try await shop.anyone.call(Contract.signIn, signIn, headers: Self.near).good()
            try await shop.anyone.call(Contract.startGuestSession, headers: Self.near).problem(.tooManyRequests)
        }
    }

    @Test func `After thirty wrong discount codes a network can still buy, but name no code`() async throws {
        try await open { shop in
            try await shop.admin().addDiscount(.ten).good()
            let guest = try await shop.guest()
            let lines = [LineRequest(sku: "cap", quantity: 1)]
            // Another guest of the same network, since new guests cost nothing.
            let other = try await shop.guest()
            func buy(_ code: String?, key: String) async throws -> Answered<Order> {
                let body = BuyNowRequest(
                    lines: lines, address: AddressInput(.sample), methodId: "standard", discount: code,
                    paymentMethod: .card(token: "tok_ok"), expectedTotal: Money(code == "TEN" ? 1390 : 1490, .eur),
                    email: "a@example.com")
                return try await other.call(
                    Contract.buyNow, body,
                    headers: Self.near.merging([HeaderName.idempotencyKey: key]) { own, _ in own })
            }
            let bought = try await buy("TEN", key: "bought")
            try bought.good()
            for number in 0..<14 {
                let code = DiscountRequest(code: "GUESS\(number)")
                try await guest.call(Contract.setCartDiscount, code, headers: Self.near).problem(.discountInvalid)
            }
            try await buy("GUESS14", key: "wrong").problem(.discountInvalid)
            for number in 15..<30 {
                let preview = PreviewRequest(lines: lines, discount: "GUESS\(number)")
                try await other.call(Contract.previewOrder, preview, headers: Self.near).problem(.discountInvalid)
            }
            // The right code, too, since the answer would tell.
            let refused = try await guest.call(
                Contract.setCartDiscount, DiscountRequest(code: "TEN"), headers: Self.near)
            try refused.problem(.tooManyAttempts)
            #expect(refused.header(HeaderName.retryAfter) == "30")
            let preview = PreviewRequest(lines: lines, discount: "TEN")
            try await other.call(Contract.previewOrder, preview, headers: Self.near).problem(.tooManyAttempts)
            try await buy("TEN", key: "more").problem(.tooManyAttempts)
            #expect(try await buy("TEN", key: "bought").body == bought.body)
            try await buy(nil, key: "without").good()
            try await other.call(Contract.previewOrder, preview, headers: Self.far).good()
            shop.clock.advance(by: 30)
            try await other.call(Contract.previewOrder, preview, headers: Self.near).good()
        }
    }

    @Test func `A limiter forgets the networks with the least use first`() throws {
        let limiter = NetworkLimiter(.init(perSecond: 0.001, burst: 10), time: SettableClock(), capacity: 4)
        for network in ["a", "b", "c", "d"] { limiter.count(network) }
        for network in ["c", "d"] { for _ in 0..<9 { limiter.count(network) } }
        limiter.count("e")
        #expect(limiter.count == 3)
        #expect(["a", "b", "c", "d", "e"].map { limiter.wait(of: $0) != nil } == [false, false, true, true, false])
    }
}

@Suite("Headers for browsers")
struct BrowserHeaderTests {
    private static let page = "https://shop.example.com"

    private func open(_ body: @escaping @Sendable (TestShop) async throws -> Void) async throws {
        try await TestShop.open(
            [], configure: { $0.policy.allowedOrigins = [Self.page, "http://127.0.0.1:3000"] }, body)
    }

    @Test func `A page of an allowed origin may send every request of the API and read its answers`() async throws {
        try await open { shop in
            for origin in [Self.page, "http://127.0.0.1:3000"] {
                let preflight = try await shop.anyone.send(
                    "OPTIONS", "/v1/cart/lines",
                    headers: ["Origin": origin, "Access-Control-Request-Method": "POST"])
                #expect(preflight.status == 204)
                #expect(preflight.header("Access-Control-Allow-Origin") == origin)
                #expect(preflight.header("Vary") == "Origin")
                let headers = preflight.header("Access-Control-Allow-Headers")?.lowercased() ?? ""
                for name in ["authorization", "content-type", "idempotency-key", "if-match", "prefer"] {
                    #expect(headers.contains(name))
                }
                let methods = preflight.header("Access-Control-Allow-Methods") ?? ""
                for endpoint in Endpoint.all { #expect(methods.contains(endpoint.method.rawValue)) }

                #expect(preflight.header(HeaderName.requestId) != nil)

                let refused = try await shop.anyone.send("GET", "/v1/cart", headers: ["Origin": origin])
                try refused.problem(.unauthenticated)
                #expect(refused.header("Access-Control-Allow-Origin") == origin)
                let exposed = refused.header("Access-Control-Expose-Headers") ?? ""
                for name in ["ETag", "Retry-After", HeaderName.requestId, HeaderName.shouldRetry] {
                    #expect(exposed.contains(name))
                }
            }
        }
    }

    @Test func `Other origins, and all of them by default, get no permission`() async throws {
        try await open { shop in
            for origin in ["https://evil.example", "null", Self.page + ".evil.example"] {
                let answer = try await shop.anyone.send("GET", "/v1/seasons", headers: ["Origin": origin])
                #expect(answer.status == 200 && answer.header("Access-Control-Allow-Origin") == nil)
                #expect(answer.header("Vary")?.contains("Origin") == true)
                let preflight = try await shop.anyone.send("OPTIONS", "/v1/cart", headers: ["Origin": origin])
                try preflight.problem(.methodNotAllowed)
                #expect(preflight.header("Access-Control-Allow-Origin") == nil)
            }
        }
        try await TestShop.open([]) { shop in
            let answer = try await shop.anyone.send("GET", "/v1/seasons", headers: ["Origin": Self.page])
            #expect(answer.status == 200 && answer.header("Access-Control-Allow-Origin") == nil)
            #expect(answer.header("Vary")?.contains("Origin") != true)
            #expect(answer.header("Strict-Transport-Security") == nil)
        }
    }

    @Test func `Every answer forbids browsers to guess its type`() async throws {
        try await TestShop.open { shop in
            for path in ["/v1/products", "/v1/nothing", "/v1/cart", "/openapi.json"] {
                let answer = try await shop.anyone.send("GET", path)
                #expect(answer.header("X-Content-Type-Options") == "nosniff")
            }
        }
    }
}

@Suite("TLS", .timeLimit(.minutes(1)))
struct EncryptionTests {
    /// Sends a request with the openssl program.
    private func send(_ option: String, to port: Int) async throws -> String {
        try await Subprocess.run(
            .name("openssl"),
            arguments: [
                "s_client", "-connect", "127.0.0.1:\(port)", option, "-cipher", "DEFAULT@SECLEVEL=0", "-quiet",
                "-ign_eof",
            ],
            input: try .text("GET /v1/seasons HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n"),
            output: .string(limit: 1 << 16), error: .discarded
        ).standardOutput
    }

    @Test func `Versions before 1.2 are refused, and answers ask browsers to use TLS only`() async throws {
        try await TemporaryFolder.use { folder in
            let certificate = try await Certificate(for: "IP:127.0.0.1", in: folder)
            var configuration = ServerConfiguration(database: try await TestDatabase(in: folder).address)
            configuration.dataFolder = folder
            configuration.tls = .init(certificatePath: certificate.file.path, keyPath: certificate.key.path)
            try await withServer(configuration) { _, port in
                for version in ["-tls1_2", "-tls1_3"] {
                    let answer = try await send(version, to: port)
                    #expect(answer.hasPrefix("HTTP/1.1 200"))
                    #expect(answer.lowercased().contains("strict-transport-security: max-age=31536000"))
                }
                for version in ["-tls1", "-tls1_1"] { #expect(try await send(version, to: port) == "") }
            }
        }
    }
}
