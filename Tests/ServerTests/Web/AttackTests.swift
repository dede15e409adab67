import HTTPTypes
import PouchWeb
import ServerTesting
import Testing

@testable import PouchDomain

@Suite("The pages against hostile requests", .inShop([]), .timeLimit(.minutes(10)))
struct AttackTests {
    private let shop = TestShop.current
    private let visitor = WebVisitor(.current)

    private typealias Fields = [(name: String, value: String)]

    /// The fields of the sign-in as a visitor fills them in.
    private func typed() async throws -> Fields {
        try await visitor.get("/sign-in").form("/sign-in").filled(["email": "ada@example.com", "password": "12345678"])
    }

    /// The statuses of the sign-in in both encodings of a form.
    private func statuses(_ fields: Fields, _ parts: Fields? = nil) async throws -> [Int] {
        [
            try await visitor.post("/sign-in", fields).status,
            try await visitor.post("/sign-in", WebFile.multipart(parts ?? fields)).status,
        ]
    }

    /// Swift sorts such marks to compare a text, in a time that grows with the square of their number. Of half a
    /// megabyte it took the server twenty seconds, so that of these it would take more than the minute.
    @Test(.timeLimit(.minutes(5)))
    func `Texts with many combining marks in a row are refused in both encodings of a form`() async throws {
        let typed = try await typed()
        /// Almost as much as a form may have. The other encoding has three bytes for each.
        func marks(bytes: Int) -> String { "a" + String(repeating: "\u{300}\u{323}", count: bytes / 4) }
        for name in ["email", "remark"] {
            let others = typed.filter { $0.name != name }
            let encoded: Fields = others + [(name, marks(bytes: Limits.bodyBytes * 3 / 10))]
            let parts: Fields = others + [(name, marks(bytes: Limits.bodyBytes * 9 / 10))]
            #expect(try await statuses(encoded, parts) == [400, 400], "\(name)")
        }
        for part in [(marks(bytes: 2_000), "x"), ("x", "\0")] as Fields {
            #expect(try await visitor.post("/sign-in", WebFile.multipart(typed + [part])).status == 400)
        }
        // As people write them.
        let accents: Fields = typed.filter { $0.name != "password" } + [("password", "Ze\u{301}non\u{308}12")]
        #expect(try await statuses(accents) == [401, 401])
    }

    @Test func `A form of separators alone is refused with less work than a form that is read`() async throws {
        func answer(to body: String) async throws -> Int {
            try await shop.transport(
                .post, "/sign-in", [.contentType: "application/x-www-form-urlencoded", .accept: "text/html"],
                Data(body.utf8)
            ).status
        }
        func work(_ body: String) async throws -> Duration {
            try await ContinuousClock().measure { _ = try await answer(to: body) }
        }
        // Both have as many bytes.
        let separators = String(repeating: "a&", count: 500_000)
        let fields = String(repeating: "name=" + String(repeating: "x", count: 994) + "&", count: 1_000)
        #expect(try await answer(to: separators) == 400)
        // This one has no token of a form.
        #expect(try await answer(to: fields) == 403)
        // The least of several times, in turn, since other tests run at the same time. On a busy machine it takes more
        // of them until one is not interrupted.
        var (short, long) = (try await work(separators), try await work(fields))
        for round in 1..<60 where round < 10 || short >= long {
            short = min(short, try await work(separators))
            long = min(long, try await work(fields))
        }
        #expect(short < long)
    }

    @Test func `A form may have many fields, but none with a long name`() async throws {
        let typed = try await typed()
        func answers(_ count: Int) async throws -> [Int] {
            try await statuses(typed + (0..<count - typed.count).map { (name: "f.\($0)", value: "x") })
        }
        func answers(nameOf length: Int) async throws -> [Int] {
            try await statuses(typed + [(String(repeating: "n", count: length), "x")])
        }
        // The request of the API knows none of them.
        #expect(try await answers(5_000) == [422, 422])
        #expect(try await answers(5_001) == [400, 413])
        #expect(try await answers(nameOf: 200) == [422, 422])
        #expect(try await answers(nameOf: 201) == [400, 413])
    }

    @Test func `Of several fields with one name the last one counts, with its type or without`() async throws {
        let typed = try await visitor.get("/sign-up").form("/sign-up").fields
        for names in [["name", "name?"], ["name?", "name"], ["name!", "name:text"]] {
            let own: Fields = [(names[0], "First"), (names[1], "Last"), ("email", "no address")]
            let page = try await visitor.post("/sign-up", typed + own)
            #expect(page.status == 422 && page.fields(of: "/sign-up")["name"] == "Last", "\(names)")
        }
    }

    /// A browser takes `//name` for another server, and the router for a page of this one.
    @Test(arguments: ["//evil.example/", "//evil.example", "///evil.example//x", "/product//evil.example/%2f/x"])
    func `A page for an unknown address has no link to another server`(address: String) async throws {
        let page = try await visitor.get(address)
        #expect(page.status == 404 && page.links.contains { $0.contains("evil.example") })
        #expect(page.links.allSatisfy { $0.hasPrefix("/") && !$0.hasPrefix("//") || $0.hasPrefix("#") })
    }

    @Test func `An address with empty segments has the page of the address without them`() async throws {
        for path in ["//products", "/products/", "//sign-in", "//search//"] {
            let page = try await visitor.get(path)
            let plain = "/" + path.split(separator: "/").joined(separator: "/")
            #expect(page.status == 200 && page.links.contains(plain + "?lang=de"), "\(path)")
        }
        let orders = try await visitor.get("//admin//orders?q=a")
        #expect(orders.location == "/admin/sign-in?next=%2Fadmin%2Forders%3Fq%3Da")
    }

    /// Each chosen value has a link that takes it away and keeps all others: a page could have a hundred times
    /// the bytes of its address.
    @Test(.inShop()) func `The page of a list stays small with many filters in its address`() async throws {
        func bytes(_ values: some Sequence<String>) async throws -> Int {
            let query = QueryString(values.map { QueryString.Item(name: "option.Colour", value: $0) })
            let page = try await visitor.get("/products?" + query.encoded)
            #expect(page.status == 200)
            return page.body.count
        }
        let long = String(repeating: "x", count: 130)
        #expect(try await bytes((0..<100).map { "\(long)\($0)" }) < 200_000)
        // Those of a real address are all kept.
        let few = try await visitor.get("/products?option.Colour=Red&option.Colour=Blue&tag=warm")
        for part in ["option.Colour=Red", "option.Colour=Blue", "tag=warm"] {
            #expect(few.links.contains { $0.hasPrefix("/products?") && $0.contains(part) }, "\(part)")
        }
    }
}
