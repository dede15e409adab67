import Logging
import ServerTesting
import Testing

@Suite("Pages of refused requests", .timeLimit(.minutes(5)))
struct RefusalPageTests {
    private static let html = ["Accept": "text/html"]

    /// A shop that answers so many requests, and one more every ten seconds of its clock.
    private static func answering(_ burst: Double) -> InShop {
        .inShop([]) { $0.policy.requests = .init(perSecond: 0.1, burst: burst) }
    }

    private let shop = TestShop.current

    @Test(answering(1)) func `A page beyond the rate says in the visitor's language when to come back`() async throws {
        let visitor = WebVisitor(shop, language: "de")
        #expect(try await visitor.get("/").status == 200)
        for address in ["/", "/products", "/account", "/nothing/here"] {
            let page = try await visitor.get(address)
            #expect(page.status == 429 && page.header("Retry-After") == "10", "\(address)")
            #expect(page.heading == "Einen Moment bitte" && page.words.contains("10 Sekunden"), "\(page.words)")
            #expect(page.header("Content-Type") == "text/html; charset=utf-8")
            #expect(page.header("Cache-Control") == "no-store" && page.header(HeaderName.requestId) != nil)
        }
        shop.clock.advance(by: 10)
        #expect(try await visitor.get("/").status == 200)
    }

    @Test(answering(2)) func `A form beyond the rate gets the page, too, and has no effect`() async throws {
        let visitor = WebVisitor(shop)
        _ = try await visitor.get("/sign-up")
        let refused = try await visitor.signUp()
        #expect(refused.status == 429 && refused.heading == "One moment, please", "\(refused.words)")
        #expect(refused.header("Retry-After") == "10")
        #expect(try await shop.rows("SELECT id FROM accounts").isEmpty)
    }

    @Test(answering(20))
    func `In the administration the page shows nothing that only the staff may know`() async throws {
        let visitor = try await shop.member(.support)
        var page = try await visitor.get("/admin/orders")
        #expect(page.status == 200 && page.isInFrame)
        for _ in 0..<20 where page.status == 200 { page = try await visitor.get("/admin/orders") }
        #expect(page.status == 429 && page.heading == ProblemCode.tooManyRequests.title, "\(page.words)")
        #expect(page.header("Retry-After") == "10" && !page.isInFrame)
    }

    @Test(
        answering(1), arguments: ["/v1/seasons", "/v1/nothing", "/assets/none.png", "/web/none.css", "/openapi.json"])
    func `The API and files keep their answers, also for a browser`(address: String) async throws {
        _ = try await shop.anyone.send("GET", "/v1/seasons")
        try await shop.anyone.send("GET", address, headers: Self.html).problem(.tooManyRequests)
    }

    @Test(answering(1)) func `Scripts get the answer of the API where browsers get a page`() async throws {
        _ = try await shop.anyone.send("GET", "/")
        for headers in [[:], ["Accept": "*/*"], ["Accept": "application/json"]] {
            try await shop.anyone.send("GET", "/search?q=cap", headers: headers).problem(.tooManyRequests)
        }
        try await shop.anyone.send("DELETE", "/cart", headers: Self.html).problem(.tooManyRequests)
        let page = try await shop.anyone.send("HEAD", "/search?q=cap", headers: Self.html)
        #expect(page.status == 429 && page.header("Content-Type") == "text/html; charset=utf-8")
    }
}

@Suite("Pages of unexpected errors and of unknown addresses", .timeLimit(.minutes(5)))
struct UnexpectedErrorPageTests {
    @Test func `An unexpected error is a page and is logged once, and a form keeps its entries`() async throws {
        let lines = LogLines()
        try await TestShop.open([], logger: lines.logger(.error)) { shop in
            func errors() throws -> Int { try lines.all.count { $0["message"] == "unexpected error" } }
            let (customer, new) = (try await shop.visitor(), WebVisitor(shop))
            let form = try await new.get("/sign-up")
            try await shop.database { try $0.script("ALTER TABLE accounts RENAME TO accounts_elsewhere") }
            let page = try await customer.get("/account")
            #expect(page.status == 500 && page.heading == "Something went wrong", "\(page.words)")
            #expect(try page.words.contains("Something went wrong on our side.") && errors() == 1)
            #expect(page.header("Content-Type") == "text/html; charset=utf-8")
            let again = try await new.submit(
                form, action: "/sign-up", ["name": "Eve", "email": "eve@example.com", "password": String.password])
            #expect(again.status == 500 && again.words.contains("Something went wrong on our side."))
            #expect(try again.fields(of: "/sign-up")["email"] == "eve@example.com" && errors() == 2)
            #expect(again.header("Content-Type") == "text/html; charset=utf-8")
        }
    }

    @Test(.inShop([]))
    func `A form for an unknown address gets a page, a program the answer of the API`() async throws {
        let shop = TestShop.current
        let page = try await WebVisitor(shop).post("/nothing/here")
        #expect(page.status == 404 && page.heading == "Page not found", "\(page.words)")
        try await shop.anyone.send("POST", "/nothing/here").problem(.notFound)
        for address in ["/v1/nothing", "/web/none.css"] {
            try await shop.anyone.send("GET", address, headers: ["Accept": "text/html"]).problem(.notFound)
        }
    }
}
