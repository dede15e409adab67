import Foundation
import PouchContract
import PouchJSON
import PouchWeb
import PouchWire
import ServerTesting
import Subprocess
import SystemPackage
import Testing

@Suite("The API documentation")
struct DocsTests {
    private let pages: [String: String]

    init() throws {
        pages = try RenderedDocs.pages.get()
    }

    @Test func `Every endpoint has a description, an example of a request and a call of the SDK`() throws {
        let all = pages.values.joined()
        for endpoint in Endpoint.all {
            #expect(all.contains("<article class=\"docs-endpoint\" id=\"\(endpoint.name)\">"), "\(endpoint.name)")
            #expect(all.contains("aria-label=\"\(endpoint.name) with curl\""), "\(endpoint.name)")
            #expect(all.contains("aria-label=\"\(endpoint.name) in Swift\""), "\(endpoint.name)")
            #expect(pages["/docs"]?.contains("#\(endpoint.name)\"") == true, "\(endpoint.name)")
        }
    }

    @Test func `Every schema has a page, and every code a row`() throws {
        let document = try OpenAPI.document()
        for schema in try #require(document["components"]?["schemas"]?.object).keys {
            #expect(pages["/docs/schemas/\(schema)"]?.contains("<h1>\(schema)</h1>") == true, "\(schema)")
            #expect(pages["/docs/schemas"]?.contains("\"/docs/schemas/\(schema)\"") == true, "\(schema)")
        }
        let errors = try #require(pages["/docs/errors"])
        for code in ProblemCode.all {
            #expect(errors.contains("<tr id=\"\(code)\">"), "\(code)")
            #expect(errors.contains(escaped(code.title)), "\(code)")
        }
    }

    @Test func `Responses and enums have the names of HTTP and OpenAPI`() throws {
        #expect(pages["/docs"]?.contains("<title>Overview · Pouch API</title>") == true)
        #expect(pages["/docs/cart"]?.contains("<h3>Responses</h3>") == true)
        #expect(pages["/docs/cart"]?.contains("aria-label=\"Response of cart\"") == true)
        #expect(pages["/docs/schemas/Cart"]?.contains(">Response of GET /v1/cart<") == true)
        #expect(pages["/docs/schemas"]?.contains("<span class=\"docs-place\">enum</span>") == true)
        #expect(pages["/docs/schemas/OrderStatus"]?.contains("<h2 id=\"values\">Values</h2>") == true)
    }

    @Test func `Every event that a webhook gets is listed`() throws {
        let page = try #require(pages["/docs/webhook-requests"])
        for type in try #require(try OpenAPI.document()["webhooks"]?.object).keys {
            #expect(page.contains("<tr id=\"\(type)\">"), "\(type)")
        }
    }

    @Test func `Links lead to a page and to an element on it, and ids are unique`() throws {
        var ids: [String: Set<String>] = [:]
        for (path, html) in pages {
            let found = html.matches(of: /\sid="([^"]*)"/).map { String($0.output.1) }
            ids[path] = Set(found)
            #expect(ids[path]?.count == found.count, "\(path)")
        }
        var count = 0
        for (path, html) in pages {
            for match in html.matches(of: /\shref="([^"]*)"/) {
                let link = String(match.output.1)
                guard link.hasPrefix("/docs") || link.hasPrefix("#") else {
                    #expect(link == "/openapi.json" || link.hasPrefix("/web/"), "\(link)")
                    continue
                }
                let parts = link.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
                let target = parts[0].isEmpty ? path : parts[0]
                #expect(ids[target] != nil, "\(link) on \(path)")
                if parts.count > 1 { #expect(ids[target]?.contains(parts[1]) == true, "\(link) on \(path)") }
                count += 1
            }
        }
        #expect(count > 1_000)
    }

    @Test func `The server accepts the bodies of the examples`() throws {
        let all = pages.values.joined()
        var count = 0
        for exchange in Contract.all {
            guard let type = exchange.bodyType as? any JSONCodable.Type else { continue }
            let name = exchange.endpoint.name
            let command = try #require(RenderedDocs.example("\(name) with curl", in: all), "\(name)")
            let body = try #require(command.components(separatedBy: "-d '").last, "\(name)")
            #expect(body.hasSuffix("'"), "\(name)")
            let text = String(body.dropLast()).replacing(#"'\''"#, with: "'")
            #expect(throws: Never.self, "\(name)") { _ = try type.init(json: text, .request) }
            count += 1
        }
        #expect(count > 40)
    }

    @Test func `Texts of the document are escaped, and an unknown path gets a chapter of its own`() throws {
        let text = "<script>alert('\"&')</script>"
        let json = JSON.string(text)
        let parameter: JSON = [
            "name": json, "in": "query", "description": json, "example": json,
            "schema": ["type": "string", "pattern": json, "enum": [json]],
        ]
        let response: JSON = [
            "description": json, "content": ["application/json": ["schema": ["$ref": "#/components/schemas/New"]]],
        ]
        let operation: JSON = [
            "operationId": "newEndpoint", "summary": json, "description": json, "tags": ["v9"], "x-access": json,
            "parameters": [parameter], "responses": ["200": response],
        ]
        let object: JSON = [
            "type": "object", "description": json, "properties": [text: ["type": json, "description": json]],
            "examples": [[text: json]],
        ]
        let problem: JSON = ["summary": json, "value": ["status": 400, "detail": json]]
        let webhook: JSON = ["summary": json, "parameters": [["name": json, "description": json]]]
        let document: JSON = [
            "info": ["version": json],
            "paths": ["/v9/\(text)": ["get": operation]],
            "webhooks": [text: ["post": webhook]],
            "components": [
                "schemas": ["New": object, "Word": ["type": "string", "enum": [json]]],
                "examples": [text: problem],
            ],
        ]
        let pages = try RenderedDocs.html(of: APIDocument(document, order: [], server: text))
        #expect(pages["/docs/other-v9"]?.contains("id=\"newEndpoint\"") == true)
        for path in ["/docs", "/docs/other-v9", "/docs/errors", "/docs/schemas/New", "/docs/schemas/Word"] {
            let html = try #require(pages[path])
            #expect(html.contains("&lt;script&gt;alert("), "\(path)")
        }
        for (path, html) in pages { #expect(!html.contains("<script>"), "\(path)") }
    }

    private func escaped(_ text: String) -> String {
        [("&", "&amp;"), ("\"", "&quot;"), ("'", "&#39;")].reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}

/// Runs the compiler, for which `make check` has no time.
@Suite("The Swift of the API documentation", .timeLimit(.minutes(10)))
struct DocsProcessTests {
    @Test func `The calls compile with the SDK`() async throws {
        let all = try RenderedDocs.pages.get().values.joined()
        var source = Self.surroundings
        var count = 0
        for endpoint in Endpoint.all {
            let code = try #require(RenderedDocs.example("\(endpoint.name) in Swift", in: all), "\(endpoint.name)")
            guard !code.hasPrefix("//") else { continue }
            let product = code.contains("pouch.admin.") ? "ManagedProduct" : "Product"
            source += "func \(endpoint.name)(_ pouch: Pouch, _ product: \(product)) async throws {\n\(code)\n}\n"
            count += 1
        }
        #expect(count > 100)
        try await TemporaryFolder.use { folder in
            let file = folder.appending(path: "Calls.swift").path
            try Data(source.utf8).write(to: URL(filePath: file))
            let result = try await Subprocess.run(
                .name("swiftc"),
                arguments: [
                    "-typecheck", "-swift-version", "6", "-I", BuildFolder.path.appending("Modules").string, "-Xcc",
                    "-fmodule-map-file=\(BuildFolder.path.appending("CLibcurl.build/module.modulemap"))", file,
                ],
                input: .none, output: .discarded, error: .string(limit: 1 << 20))
            #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
        }
    }

    /// The values that the calls take from the program around them.
    private static let surroundings = """
        import Foundation
        import PouchClient
        func value<Value>() -> Value { fatalError() }
        let (id, password, newPassword, token): (String, String, String, String) = value()
        let (link, lastSeen, file): (String, String, URL) = value()
        let (start, end): (Date, Date) = value()
        let (address, waypoints): (Address, RideWaypoints) = value()
        let (cart, draft, preview): (Cart, OrderDraft, OrderPreview) = value()
        let (quotes, discount, session): ([FareQuote], ManagedDiscount, UserSession) = value()

        """
}

/// The pages of the documentation by their paths.
private enum RenderedDocs {
    /// Rendered once, since there are two hundred.
    static let pages = Result {
        try html(of: APIDocument(server: "https://shop.example.com"))
    }

    static func html(of document: APIDocument) throws -> [String: String] {
        let theme = try WebTheme()
        return Dictionary(uniqueKeysWithValues: document.pages.map { ($0.path, $0.html(with: theme)) })
    }

    /// The code of the figure with the label.
    static func example(_ label: String, in html: String) -> String? {
        guard let start = html.range(of: "aria-label=\"\(label)\"><code>"),
            let end = html.range(of: "</code>", range: start.upperBound..<html.endIndex)
        else { return nil }
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        return entities.reduce(String(html[start.upperBound..<end.lowerBound])) {
            $0.replacing($1.0, with: $1.1)
        }
    }
}
