import ClientTesting
import Foundation
import Loopback
import PouchClient
import PouchNetwork
import PouchTesting
import PouchWire
import Testing

/// The options of a client's requests, apart from retries: added fields, credentials, cookies.
@Suite(.timeLimit(.minutes(5)))
struct NetworkOptionTests {
    private static let seasons = #"{"seasons":[{"id":"71","name":"Spring","themes":[]}]}"#

    private static func field(_ name: String, of head: String) -> String? {
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        return line.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    // MARK: - Added fields

    @Test(arguments: SomeTransport.allCases)
    func `added fields are in each request to the shop, in none to another origin`(kind: SomeTransport) async throws {
        let elsewhere = try LoopbackServer { _ in httpAnswer(body: "<svg/>") }
        let image = try elsewhere.url("/b.svg").absoluteString
        let shop = try LoopbackServer { head in
            if head.hasPrefix("GET /assets/moved.svg") { return httpAnswer("302 Found", "Location: \(image)") }
            let session = String(decoding: Fixture.data(Fixture.session("access-2", expiresIn: 1e9)), as: UTF8.self)
            if head.hasPrefix("POST /v1/sessions/refresh") { return httpAnswer(body: session) }
            return httpAnswer(body: head.hasPrefix("GET /assets") ? "<svg/>" : #"{"items":[]}"#)
        }
        let pouch = Pouch(
            server: try shop.url(""), transport: try kind.make(),
            sessionStore: MemorySessionStore(Fixture.data(Fixture.session(expiresIn: -1e9))),
            network: NetworkOptions(
                retries: .once,
                headers: HeaderFields([.init(name: "X-Kiosk", value: "7"), .init(name: "Accept", value: "x")])))
        _ = try await pouch.orders.orders()
        _ = try await pouch.assets.data(of: ProductImage(url: "/assets/a.svg", alt: ""))
        _ = try await pouch.assets.data(of: ProductImage(url: "/assets/moved.svg", alt: ""))
        _ = try await pouch.assets.data(of: ProductImage(url: image, alt: ""))
        #expect(shop.heads.count == 4 && elsewhere.heads.count == 2)
        for head in shop.heads {
            #expect(Self.field("X-Kiosk", of: head) == "7", "\(head)")
            #expect(Self.field("Accept", of: head) != "x", "a field of the request stays")
        }
        for head in elsewhere.heads { #expect(Self.field("X-Kiosk", of: head) == nil) }
    }

    @Test func `a feed's added fields do not go to another web server with its images`() async throws {
        let web = SampleFeed.web()
        web.put("<svg/>", at: "/images/products/71617-25.svg")
        let pouch = Pouch(
            feed: try #require(URL(string: "http://127.0.0.1/feed")),
            assets: URL(string: "http://images.example.org/images"), transport: web,
            network: NetworkOptions(retries: .once, authentication: EagerAuthentication(), headers: ["X-Kiosk": "7"]))
        _ = try await pouch.catalog.seasons()
        _ = try await pouch.assets.data(of: ProductImage(url: "/assets/products/71617-25.svg", alt: ""))
        for request in web.requests {
            let isOfFeed = request.url.host() == "127.0.0.1"
            #expect((request.headers["X-Kiosk"] != nil) == isOfFeed)
            #expect((request.headers["Authorization"] != nil) == isOfFeed)
        }
        #expect(web.requests.contains { $0.url.host() == "images.example.org" })
    }

    @Test(arguments: [
        "Authorization", "pouch-access-token", "Host", "Content-Length", "Idempotency-Key", "Cookie", "If-Match",
        "Transfer-Encoding", "Range",
    ])
    func `no request is sent with a field that belongs to the SDK`(name: String) async throws {
        let shop = TestShop(sellsAnySKU: true)
        let server = try #require(URL(string: "http://127.0.0.1"))
        let options = NetworkOptions(headers: HeaderFields([.init(name: name, value: "x")]))
        let pouch = Pouch(server: server, transport: shop, network: options)
        let error = await #expect(throws: DataError.self) { try await pouch.catalog.products() }
        #expect(error?.log.contains(name) == true)
        #expect(shop.requests.isEmpty)
    }

    // MARK: - Credentials for a proxy

    /// Requires the user and the password of the article, and then answers as a shop does.
    private func proxy(_ answer: @escaping @Sendable (_ head: String) -> String) throws -> LoopbackServer {
        let credentials = "Basic " + Data("ada:pass".utf8).base64EncodedString()
        return try LoopbackServer { head in
            guard Self.field("Authorization", of: head) == credentials else {
                return httpAnswer("401 No", #"WWW-Authenticate: Basic realm="shop""#)
            }
            return answer(head)
        }
    }

    @Test(arguments: SomeTransport.allCases)
    func `behind a proxy with a password, the access token has a field of its own`(kind: SomeTransport) async throws {
        let server = try proxy { httpAnswer(body: $0.hasPrefix("GET /assets") ? "<svg/>" : #"{"items":[]}"#) }
        let url = try server.url("")
        let reports = Reports()
        var options = reports.options
        options.authentication = BasicAuthentication(user: "ada", password: "pass", server: url)
        let pouch = Pouch(
            server: url, transport: try kind.make(),
            sessionStore: MemorySessionStore(Fixture.data(Fixture.session("access-1", expiresIn: 1e9))),
            network: options)
        _ = try await pouch.orders.orders()
        _ = try await pouch.assets.data(of: ProductImage(url: "/assets/a.svg", alt: ""))
        let calls = server.heads.filter { $0.hasPrefix("GET /v1/orders") }
        #expect(calls.count == 2, "the first was challenged")
        for head in calls { #expect(Self.field(HeaderName.accessToken, of: head) == "access-1") }
        let asset = try #require(server.heads.last)
        #expect(Self.field("Authorization", of: asset) != nil && Self.field(HeaderName.accessToken, of: asset) == nil)
        #expect(reports.all.map(\.status) == [200, 200])
    }

    @Test func `the shop's password and token stay with the shop`() async throws {
        let elsewhere = try LoopbackServer { _ in httpAnswer("401 No", #"WWW-Authenticate: Basic realm="x""#) }
        let image = try elsewhere.url("/b.svg").absoluteString
        let server = try proxy { _ in httpAnswer("302 Found", "Location: \(image)") }
        let url = try server.url("")
        let pouch = Pouch(
            server: url, transport: URLSessionTransport(),
            sessionStore: MemorySessionStore(Fixture.data(Fixture.session("access-1", expiresIn: 1e9))),
            network: NetworkOptions(retries: .once, authentication: EagerAuthentication()))
        await #expect(throws: DataError.self) { try await pouch.orders.orders() }
        #expect(elsewhere.heads.isEmpty, "a request with a token follows no redirect to another origin")
        await #expect(throws: DataError.self) { try await pouch.assets.data(of: ProductImage(url: image, alt: "")) }
        _ = try? await pouch.assets.data(of: ProductImage(url: "/assets/moved.svg", alt: ""))
        #expect(elsewhere.heads.count == 2)
        for head in elsewhere.heads { #expect(Self.field("Authorization", of: head) == nil) }
    }

    /// Sends the password to every server that it is asked for.
    private struct EagerAuthentication: AuthenticationHandler {
        private let credentials = "Basic " + Data("ada:pass".utf8).base64EncodedString()

        func authorization(for request: NetworkRequest) async -> String? { credentials }

        func authorization(
            answering challenges: [AuthenticationChallenge], to request: NetworkRequest
        ) async -> String? { credentials }
    }

    @Test func `a field that is marked as a credential is never shown, not even after a change`() {
        var headers = HeaderFields([.init(name: "X-Token", value: "secret", isCredential: true)])
        #expect(!"\(headers)".contains("secret"))
        headers["x-token"] = "another secret"
        #expect(!"\(headers)".contains("secret"))
    }

    // MARK: - Cookies

    /// A feed that signs in by a redirect, which sets a cookie, and refuses requests without the cookie.
    private func cookieFeed(_ cookies: [String]) throws -> LoopbackServer {
        try LoopbackServer { head in
            if head.hasPrefix("GET /login") {
                return httpAnswer(
                    "302 Found", "Location: /feed/seasons.json",
                    cookies.map { "Set-Cookie: \($0)" }.joined(separator: "\r\n"))
            }
            let cookie = Self.field("Cookie", of: head) ?? ""
            guard cookie.contains("sid=abc") else { return httpAnswer("302 Found", "Location: /login") }
            return httpAnswer(body: head.contains("seasons") ? Self.seasons : #"{"products":[]}"#)
        }
    }

    private func seasons(of server: LoopbackServer, _ kind: SomeTransport, _ store: CookieStore?) async throws
        -> [String]
    {
        let pouch = Pouch(
            feed: try server.url("/feed"), transport: try kind.make(),
            network: NetworkOptions(retries: .once, cookies: store))
        return try await pouch.catalog.seasons().map(\.name)
    }

    @Test(arguments: SomeTransport.allCases)
    func `a feed whose session is a cookie is read, once cookies are switched on`(kind: SomeTransport) async throws {
        let cookies = [
            "sid=abc; Path=/feed; HttpOnly; Expires=Wed, 21 Oct 2065 07:28:00 GMT",
            "theme=a=b; Path=/feed/seasons.json", "elsewhere=1; Domain=example.org", "other=1; Path=/feeder",
            "secure=1; Path=/; Secure", "old=1; Path=/; Max-Age=0",
        ]
        let server = try cookieFeed(cookies)
        await #expect(throws: DataError.self) { try await seasons(of: server, kind, nil) }
        #expect(server.heads.allSatisfy { Self.field("Cookie", of: $0) == nil }, "cookies are off")
        let store = CookieStore()
        #expect(try await seasons(of: server, kind, store) == ["Spring"])
        let sent = server.heads.last { $0.hasPrefix("GET /feed/seasons.json") }.flatMap { Self.field("Cookie", of: $0) }
        #expect(sent == "theme=a=b; sid=abc", "longer paths first; neither expired, foreign nor secure ones")
        let requests = server.heads.count
        #expect(try await seasons(of: server, kind, store) == ["Spring"])
        #expect(!server.heads.dropFirst(requests).contains { $0.hasPrefix("GET /login") }, "the store is shared")
        store.removeAll()
        #expect(try await seasons(of: server, kind, store) == ["Spring"])
        #expect(server.heads.dropFirst(requests).contains { $0.hasPrefix("GET /login") }, "it was emptied")
    }

    @Test(arguments: SomeTransport.allCases)
    func `cookies do not go to another port or host`(kind: SomeTransport) async throws {
        let other = try LoopbackServer { _ in httpAnswer(body: "<svg/>") }
        let shop = try LoopbackServer { [target = try other.url("/b.svg").absoluteString] head in
            head.contains("moved")
                ? httpAnswer("302 Found", "Location: \(target)")
                : httpAnswer("200 OK", "Set-Cookie: sid=abc; Path=/", body: "<svg/>")
        }
        let pouch = Pouch(
            server: try shop.url(""), transport: try kind.make(),
            network: NetworkOptions(retries: .once, cookies: CookieStore()))
        for path in ["/assets/a.svg", "/assets/b.svg", "/assets/moved.svg"] {
            _ = try await pouch.assets.data(of: ProductImage(url: path, alt: ""))
        }
        #expect(shop.heads.map { Self.field("Cookie", of: $0) } == [nil, "sid=abc", "sid=abc"])
        #expect(other.heads.count == 1)
        #expect(other.heads.allSatisfy { Self.field("Cookie", of: $0) == nil })
    }
}
