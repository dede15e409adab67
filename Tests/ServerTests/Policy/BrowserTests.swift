import ServerTesting
import Testing

@Suite("Headers for browsers")
struct BrowserHeaderTests {
    private static let page = "https://shop.example.com"
    private static let origins: Set = [page, "http://127.0.0.1:3000"]

    private let shop = TestShop.current

    /// A shop whose API pages of these origins may use.
    private static func open(_ change: @escaping @Sendable (inout RequestPolicy) -> Void = { _ in }) -> InShop {
        .inShop([]) { configuration in
            configuration.policy.allowedOrigins = origins
            change(&configuration.policy)
        }
    }

    private func preflight(_ origin: String) async throws -> Answered<Void> {
        let headers = ["Origin": origin, "Access-Control-Request-Method": "POST"]
        return try await shop.anyone.send("OPTIONS", "/v1/cart/lines", headers: headers)
    }

    @Test(open())
    func `A page of an allowed origin may send every request of the API and read its answers`() async throws {
        for origin in Self.origins {
            let preflight = try await preflight(origin)
            #expect(preflight.status == 204 && preflight.header("Vary") == "Origin")
            #expect(preflight.header("Access-Control-Allow-Origin") == origin)
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

    @Test(open { $0.requests = .init(perSecond: 0.1, burst: 2) })
    func `Preflights are counted and completed like all requests`() async throws {
        for _ in 0..<2 {
            let answer = try await preflight(Self.page)
            #expect(answer.status == 204 && answer.header("X-Content-Type-Options") == "nosniff")
        }
        let refused = try await preflight(Self.page)
        try refused.problem(.tooManyRequests)
        #expect(refused.header("Access-Control-Allow-Origin") == Self.page)
    }

    @Test(open()) func `Other origins get no permission`() async throws {
        for origin in ["https://evil.example", "null", Self.page + ".evil.example"] {
            let answer = try await shop.anyone.send("GET", "/v1/seasons", headers: ["Origin": origin])
            #expect(answer.status == 200 && answer.header("Access-Control-Allow-Origin") == nil)
            #expect(answer.header("Vary")?.contains("Origin") == true)
            let preflight = try await shop.anyone.send("OPTIONS", "/v1/cart", headers: ["Origin": origin])
            try preflight.problem(.methodNotAllowed)
            #expect(preflight.header("Access-Control-Allow-Origin") == nil)
        }
    }

    @Test(.inShop([])) func `By default no origin gets permission`() async throws {
        let answer = try await shop.anyone.send("GET", "/v1/seasons", headers: ["Origin": Self.page])
        #expect(answer.status == 200 && answer.header("Access-Control-Allow-Origin") == nil)
        #expect(answer.header("Vary")?.contains("Origin") != true && answer.header("Strict-Transport-Security") == nil)
    }

    @Test(.inShop()) func `Every answer forbids browsers to guess its type`() async throws {
        for path in ["/v1/products", "/v1/nothing", "/v1/cart", "/openapi.json"] {
            #expect(try await shop.anyone.send("GET", path).header("X-Content-Type-Options") == "nosniff")
        }
    }
}

@Suite("TLS", .timeLimit(.minutes(5)))
struct EncryptionTests {
    @Test(.inFolder) func `TLS versions before 1.2 are refused, and answers make browsers use TLS only`() async throws {
        let certificate = try await Certificate(for: "IP:127.0.0.1", in: TemporaryFolder.current)
        try await LaneShop.serve(
            [], configure: { $0.tls = .init(certificatePath: certificate.file.path, keyPath: certificate.key.path) }
        ) { shop in
            func answers(_ version: String) async throws -> String {
                let request = LaneClient.request("/v1/seasons", ["Connection: close"])
                return try await shop.answers(overTLS: request, version, "-cipher", "DEFAULT@SECLEVEL=0")
            }
            for version in ["-tls1_2", "-tls1_3"] {
                let answer = try await answers(version)
                #expect(answer.hasPrefix("HTTP/1.1 200"))
                #expect(answer.lowercased().contains("strict-transport-security: max-age=31536000"))
            }
            for version in ["-tls1", "-tls1_1"] { #expect(try await answers(version) == "") }
        }
    }
}
