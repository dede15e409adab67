import HTTPTypes
import HummingbirdTesting
import ServerTesting
import Testing

/// Over connections, since what a request has too much may also break the reading of the next one.
@Suite("Pages and requests that no browser sends by itself", .inShop(setup: .live), .timeLimit(.minutes(10)))
struct InvalidPageRequestTests {
    /// Some of each kind: of the catalogue, of a visitor, of the staff, and documents.
    private static let pages = [
        "/", "/products", "/search?q=cap", "/product/cap", "/category/hats", "/cart", "/orders", "/account",
        "/account/addresses", "/docs", "/sitemap.xml", "/feed.xml", "/robots.txt", "/admin", "/admin/search?q=cap",
        "/admin/orders", "/admin/customers", "/admin/products", "/admin/stock", "/admin/discounts", "/admin/audit",
    ]

    /// Steps of a path with a slash, NUL, a step back, or bytes that are no text.
    private static let steps = [
        "%00", "cap%00", "a%2Fb", "%2F", "..%2F..%2Fetc%2Fpasswd", "%2E%2E", "%FF", "%C3%28", "%ZZ", "%",
    ]

    private let shop = TestShop.current
    /// A member of the staff who may see all pages.
    private let visitor: WebVisitor

    init() async throws {
        visitor = try await shop.member(.owner)
    }

    @Test func `Parameters that a page does not have are ignored`() async throws {
        for page in Self.pages {
            for query in ["", "x=1", "x=1&x=2", "a%2Fb=..%2F", "=", "&&", "lang=xx", "%00=%FF", "%"] {
                let address = query.isEmpty ? page : page + (page.contains("?") ? "&" : "?") + query
                #expect(try await visitor.get(address).status == 200, "\(address)")
            }
        }
    }

    @Test func `The body of a GET request for a page is ignored`() async throws {
        let body = Data("csrf=x&q=none&lang=de".utf8)
        let types = ["application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary=b"]
        for page in Self.pages {
            for type in types {
                let answer = try await shop.transport(
                    .get, page, [.cookie: visitor.cookieHeader, .accept: "text/html", .contentType: type], body)
                #expect(answer.status == 200, "\(page) \(type)")
            }
        }
    }

    @Test func `The media type of a form can have spaces, capitals and parameters`() async throws {
        let form = Data("csrf=\(try await visitor.adminToken())".utf8)
        let type = "Application/X-WWW-Form-URLEncoded ; charset=UTF-8"
        #expect(try await visitor.post("/admin/sign-out", (type: type, bytes: form)).status == 303)
    }

    @Test func `A long address gets its page, and one above the limit is refused as by the API`() async throws {
        let guest = WebVisitor(shop)
        let long = String(repeating: "x", count: 9_000)
        for (visitor, address, status) in [
            (guest, "/products?x=", 200), (guest, "/search?q=", 200), (guest, "/product/", 404),
            (guest, "/sign-in?next=/", 200), (guest, "/no/such/", 404), (visitor, "/orders/", 404),
            (visitor, "/admin/orders?x=", 200), (visitor, "/admin/orders/", 404), (visitor, "/admin/no/such/", 404),
        ] {
            let page = try await visitor.get(address + long)
            #expect(page.status == status && page.isHTML, "\(address)")
        }
        // A text that is too long to search for is left out or refused, by a page.
        for address in ["/admin/search?q=", "/admin/orders?q=", "/admin/customers?q=", "/admin/products?q="] {
            let page = try await visitor.get(address + long)
            #expect(page.status < 500 && page.isInFrame, "\(address) \(page.status)")
        }
        #expect(try await guest.get("/account?x=" + long).status == 303)
        let longer = String(repeating: "x", count: Limits.headerBytes)
        for address in ["/products?x=", "/product/", "/no/such/", "/admin/orders?q="] {
            let refused = try await visitor.get(address + longer)
            #expect(refused.status == 431 && refused.text.contains("headers_too_large"), "\(address)")
        }
    }

    @Test func `Paths with an escaped slash, NUL or bytes that are no text lead to nothing, by a page`() async throws {
        let places = [
            "/*", "/product/*", "/category/*", "/season/*", "/orders/*", "/orders/*/live", "/docs/*", "/docs/schemas/*",
            "/sitemap-*", "/account/addresses/*", "/admin/*", "/admin/orders/*", "/admin/orders/*/invoice",
            "/admin/customers/*", "/admin/products/*", "/admin/discounts/*", "/admin/import/*", "/admin/webhooks/*",
            "/admin/mails/*", "/admin/mails/*/page",
        ]
        for step in Self.steps {
            for address in places.map({ $0.replacing("*", with: step) }) {
                let page = try await visitor.get(address)
                #expect(page.status == 404 && page.isHTML, "\(address) \(page.status)")
            }
            #expect(try await visitor.get("/web/" + step).status == 404, "\(step)")
        }
    }

    @Test func `A form that is sent to such a path is refused, and changes nothing`() async throws {
        let visitor = WebVisitor(shop)
        let cart = try await visitor.add("cap")
        let fields = try cart.form("/cart/lines/cap").filled(["quantity": "3"])
        for step in Self.steps {
            for path in ["/cart/lines/\(step)", "/cart/lines/\(step)/remove", "/orders/\(step)/cancel"] {
                #expect(try await visitor.post(path, fields).status < 500, "\(path)")
            }
            #expect(try await visitor.post("/cart/lines/\(step)", fields).status >= 400, "\(step)")
        }
        #expect(try await visitor.get("/cart").quantity(of: "cap") == "1")
    }
}
