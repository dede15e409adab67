import ServerTesting
import Testing

@Suite("Malformed requests", .inShop())
struct MalformedRequestTests {
    private let shop = TestShop.current

    // MARK: Bodies

    private func signIn(_ body: String, headers: [String: String] = [:]) async throws -> Answered<Void> {
        try await shop.anyone.send("POST", "/v1/sessions", body, headers: headers)
    }

    private func addLine(_ body: String) async throws -> Answered<Void> {
        try await shop.guest().send("POST", "/v1/cart/lines", body)
    }

    @Test(
        .oneShop,
        arguments: [
            "", " ", "{", "nonsense", "{\"email\": }", "[1,2", "{\"email\":\"a\"} trailing", "{'email':'a'}",
            "\u{FEFF}",
            "{\"email\":\"\\ud800\",\"password\":\"12345678\"}", "{\"email\":\"a\u{1}\",\"password\":\"x\"}",
        ])
    func `A body that is not JSON is refused`(body: String) async throws {
        try await signIn(body).problem(.invalidJSON)
    }

    @Test func `A body that is not UTF-8 is refused`() async throws {
        let bytes = Data(#"{"email":""#.utf8) + Data([0xC3, 0x28, 0xFF]) + Data(#"","password":"12345678"}"#.utf8)
        try await shop.anyone.send("POST", "/v1/sessions", bytes: bytes).problem(.invalidJSON)
    }

    /// Marks of two classes by turns, which have to be sorted before texts can be compared.
    private static let marks = ["\u{300}\u{323}", #"\u0300\u0323"#, "\u{1D165}\u{1D16D}", #"\ud834\udd65\uD834\uDD6D"#]

    @Test(arguments: marks)
    func `Texts with many combining marks in a row are refused, as keys and as values`(marks: String) async throws {
        let (few, many) = ("a" + String(repeating: marks, count: 15), "a" + String(repeating: marks, count: 16))
        #expect(try await signIn(#"{"\#(many)":1}"#).invalidFields() == ["body"])
        #expect(try await signIn(#"{"email":"a@b.com","password":"\#(many)"}"#).invalidFields() == ["password"])
        try await signIn(#"{"email":"a@b.com","password":"\#(few)"}"#).problem(.invalidCredentials)
    }

    /// Without the limit these take minutes.
    @Test(.timeLimit(.minutes(5))) func `Many combining marks do not keep the server busy`() async throws {
        let long = "a" + String(repeating: "\u{300}\u{323}", count: 100_000)
        for _ in 0..<10 {
            for body in [#"{"\#(long)":1}"#, #"{"name":"\#(long)","email":"","password":""}"#] {
                try await shop.anyone.send("POST", "/v1/accounts", body).problem(.validationFailed)
            }
        }
        let encoded = String(repeating: "%CC%80%CC%A3", count: 16)
        try await shop.anyone.send("GET", "/v1/products?q=a\(encoded)").problem(.invalidQuery)
        try await shop.anyone.send("GET", "/v1/products/a\(encoded)").problem(.notFound)
    }

    @Test(arguments: ["[]", "3", "null", "\"text\"", "true"])
    func `JSON of another type fails validation`(body: String) async throws {
        try await signIn(body).problem(.validationFailed)
    }

    @Test(
        .oneShop,
        arguments: [
            (#"{"sku": 3, "quantity": 1}"#, "sku", "wrong_type"), (#"{"sku": "cap"}"#, "quantity", "required"),
            (#"{"sku": "cap", "quantity": null}"#, "quantity", "required"),
            (#"{"sku": "cap", "quantity": "1"}"#, "quantity", "wrong_type"),
            (#"{"sku": "cap", "quantity": true}"#, "quantity", "wrong_type"),
            (#"{"sku": {}, "quantity": 1}"#, "sku", "wrong_type"),
            (#"{"sku": "cap", "quantity": 0}"#, "quantity", "out_of_range"),
            (#"{"sku": "cap", "quantity": -1}"#, "quantity", "out_of_range"),
            (#"{"sku": "cap", "quantity": 9223372036854775807}"#, "quantity", "out_of_range"),
            (#"{"sku": "cap", "quantity": 1000}"#, "quantity", "out_of_range"),
        ])
    func `A wrong value is reported with its field`(body: String, field: String, code: String) async throws {
        let errors = try await addLine(body).problem(.validationFailed).problem.errors
        #expect(errors?.map(\.field) == [field] && errors?.map(\.code) == [code])
    }

    @Test(arguments: ["1.5", "1e999", "9223372036854775808", "-1e400"])
    func `A number that is not a whole number is refused`(number: String) async throws {
        let answer = try await addLine(#"{"sku": "cap", "quantity": \#(number)}"#)
        #expect([400, 422].contains(answer.status), "\(answer.text)")
        answer.expectNoLeak()
    }

    @Test func `Unknown fields are refused, nested ones too, each with its path`() async throws {
        let answer = try await shop.guest().send(
            "PUT", "/v1/cart/shipping",
            #"""
            {"methodId": "standard", "gift": true, "address": {"name": "Ada", "line1": "1", "city": "B",
            "postalCode": "1", "country": "DE", "id": "adr_1", "location": {"latitude": 1, "longitude": 1, "up": 3}}}
            """#)
        let problem = try answer.problem(.unknownField).problem
        #expect(Set(problem.errors?.map(\.field) ?? []) == ["gift", "address.id", "address.location.up"])
        #expect(problem.errors?.allSatisfy { $0.code == "unknown_field" } == true)
    }

    @Test(arguments: [1, 500])
    func `Of a thousand unknown fields twenty are reported, with bounded names, and nothing has an effect`(
        length: Int
    ) async throws {
        let guest = try await shop.guest()
        let names = (0..<1_000).map { String(repeating: "x", count: length) + String($0) }
        let fields = names.map { "\"\($0)\": 1" }.joined(separator: ", ")
        let answer = try await guest.send("POST", "/v1/cart/lines", #"{"sku": "cap", "quantity": 1, \#(fields)}"#)
        let errors = try #require(try answer.problem(.unknownField).problem.errors)
        #expect(errors.count == 20 && answer.body.count < 16 << 10)
        #expect(errors.allSatisfy { error in error.field.count <= 80 && names.contains { $0.hasPrefix(error.field) } })
        #expect(try await guest.cart().lines == [])
    }

    @Test(.timeLimit(.minutes(5)), arguments: [33, 5_000, 500_000])
    func `Deep nesting is refused at any depth`(depth: Int) async throws {
        let body = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        try await signIn(body).problem(.jsonTooDeep)
        let objects = String(String(repeating: #"{"a":"#, count: depth).prefix(1 << 20))
        try await shop.anyone.send("POST", "/v1/accounts", objects).problem(.jsonTooDeep)
    }

    @Test(arguments: TestingSetupName.allCases)
    func `A body of 1 MiB is read, and a larger one refused`(setup: TestingSetupName) async throws {
        try await TestShop.open([], setup: setup.value) { shop in
            let frame = #"{"email":"","password":"12345678"}"#
            func send(_ length: Int) async throws -> Answered<Void> {
                let padding = String(repeating: " ", count: length - frame.utf8.count)
                return try await shop.anyone.send("POST", "/v1/sessions", frame + padding)
            }
            try await send(Limits.bodyBytes).problem(.invalidCredentials)
            for length in [Limits.bodyBytes + 1, 2 << 20] { try await send(length).problem(.bodyTooLarge) }
        }
    }

    @Test(
        arguments: [
            ("text/plain", ProblemCode.unsupportedMediaType), ("application/jsonp", .unsupportedMediaType),
            ("application/x-www-form-urlencoded", .unsupportedMediaType), ("nonsense", .unsupportedMediaType),
            ("multipart/form-data; boundary=x", .unsupportedMediaType),
            ("application/json-patch+json", .unsupportedMediaType), ("application/json", .invalidCredentials),
            ("application/json; charset=utf-8", .invalidCredentials),
            ("Application/JSON;charset=UTF-8", .invalidCredentials),
        ] as [(String, ProblemCode)])
    func `Only the media type of JSON is supported, in every spelling`(type: String, code: ProblemCode) async throws {
        try await signIn(#"{"email":"a@b.de","password":"12345678"}"#, headers: ["Content-Type": type]).problem(code)
    }

    @Test func `A SKU with a NUL character is not the SKU before the NUL`() async throws {
        let line = #"{"sku": "cap\u0000x", "quantity": 1}"#
        try await addLine(line).problem(.unknownSKU)
        try await shop.guest().send("POST", "/v1/orders/preview", #"{"lines": [\#(line)]}"#).problem(.unknownSKU)
    }

    // MARK: Paths and queries

    @Test(
        .oneShop,
        arguments: [
            "limit=0", "limit=201", "limit=abc", "limit=", "limit=-1", "limit=1&limit=2", "limit=1.5", "unknown=1",
            "minPrice=-1", "minPrice=cheap", "minPrice=1&currency=JPY", "maxPrice=9223372036854775808", "inStock=maybe",
            "inStock=1", "sort=random", "sort=relevance", "facets=yes", "season=%ZZ", "q=%C3%28", "q=%FF",
            "season=a%00b", "q=%00", "limit=%31%30x", "season=a&season=b", "%00=1", "sort=name&sort=name",
        ])
    func `An invalid query is refused`(query: String) async throws {
        try await shop.anyone.call(Contract.products, query: query).problem(.invalidQuery)
    }

    @Test(arguments: ["seasons", "themes", "categories", "promotions"])
    func `Every list refuses unknown and repeated parameters`(list: String) async throws {
        for query in ["limit=0", "color=red", "cursor=a&cursor=b"] {
            try await shop.anyone.send("GET", "/v1/\(list)?\(query)").problem(.invalidQuery)
        }
    }

    @Test(
        .oneShop,
        arguments: [
            "/v1/products/%00", "/v1/products/cap%00", "/v1/products/%C3%28", "/v1/products/%ZZ", "/v1/products/%",
            "/v1/products/%FF%FE", "/v1/products/..%2F..%2Fetc%2Fpasswd", "/v1/products/%2E%2E",
            "/v1/products/'%20OR%201=1", "/v1/products/cap;DROP%20TABLE%20products",
        ])
    func `A malformed handle finds no product`(path: String) async throws {
        let answer = try await shop.anyone.send("GET", path)
        #expect([400, 404].contains(answer.status), "\(answer.text)")
        answer.expectNoLeak()
    }

    @Test(arguments: ["%00", "cap%00", "%C3%28", "%", "..%2F", "'"])
    func `A malformed SKU finds no line`(sku: String) async throws {
        let guest = try await shop.guest()
        let answer = try await guest.send("PUT", "/v1/cart/lines/\(sku)", #"{"quantity": 1}"#)
        #expect([400, 404].contains(answer.status), "\(answer.text)")
        answer.expectNoLeak()
        #expect(try await guest.cart().lines == [])
    }

    @Test func `SKUs and handles are percent-decoded after the path is split`() async throws {
        let sku = "a b/c%é+~"
        try await shop.stock([.stocked("bonnet", sku: sku, stock: 3)])
        let guest = try await shop.guest()
        #expect(try await guest.set(sku, to: 2).good().lines.map(\.quantity) == [2])
        let path = "/v1/cart/lines/a%20b%2Fc%25%C3%A9%2B~"
        #expect(try await guest.send("PUT", path, #"{"quantity": 3}"#).status == 200)
        #expect(try await guest.cart().lines.map(\.quantity) == [3])
        #expect(try await guest.call(Contract.product, path: ["handle": "%63ap"]).status == 404)
        #expect(try await guest.send("GET", "/v1/products/%63ap").status == 200)
        #expect(try await guest.call(Contract.removeCartLine, path: ["sku": sku]).good().lines == [])
    }

    @Test(arguments: ["latitude=91&longitude=0", "latitude=x", "longitude=-181", "country=a&country=b", "planet=3"])
    func `Shipping methods refuse invalid locations`(query: String) async throws {
        try await shop.guest().call(Contract.shippingMethods, query: query).problem(.invalidQuery)
    }

    // MARK: Headers

    @Test(arguments: TestingSetupName.allCases)
    func `More than 16 KiB of headers are too large`(setup: TestingSetupName) async throws {
        try await TestShop.open([], setup: setup.value) { shop in
            let large = String(repeating: "x", count: 20_000)
            try await shop.anyone.send("GET", "/v1/products", headers: ["X-Large": large]).problem(.headersTooLarge)
            let value = String(repeating: "y", count: 100)
            let many = Dictionary(uniqueKeysWithValues: (0..<200).map { ("X-\($0)", value) })
            try await shop.anyone.send("GET", "/v1/products", headers: many).problem(.headersTooLarge)
        }
    }

    @Test(arguments: [
        "Basic dXNlcjpwYXNz", "Bearer", "Bearer ", "bearer x", "Bearer a.b.c", "nonsense", "Bearer é",
        "Bearer  two  words",
    ])
    func `A malformed Authorization header is refused`(value: String) async throws {
        for path in ["/v1/cart", "/v1/account", "/v1/orders"] {
            try await shop.anyone.send("GET", path, headers: ["Authorization": value]).problem(.unauthenticated)
        }
    }

    @Test(.oneShop, arguments: Endpoint.all.filter { $0.access != .anyone })
    func `Endpoints that need a token refuse requests without one`(endpoint: Endpoint) async throws {
        let path = endpoint.template.path(["sku": "cap", "id": "x"])
        try await shop.anyone.send(endpoint.method.rawValue, path, "{}").problem(.unauthenticated)
    }

    @Test(.oneShop, arguments: Endpoint.all.filter { $0.access == .customer })
    func `Endpoints that need an account refuse guests`(endpoint: Endpoint) async throws {
        let path = endpoint.template.path(["id": "x"])
        try await shop.guest().send(endpoint.method.rawValue, path, "{}").problem(.forbidden)
    }

    @Test(arguments: ["abc", "W/\"1\"", "\"1\", \"2\"", "\"\"", "99999999999999999999"])
    func `An If-Match that is not a version is refused`(value: String) async throws {
        try await shop.guest().add("cap", headers: .ifMatch(value)).problem(.invalidHeader)
    }

    @Test(arguments: ["", "two words", "é", String(repeating: "k", count: 256)])
    func `An idempotency key must be visible ASCII of up to 255 characters`(key: String) async throws {
        let guest = try await shop.guest()
        try await guest.add("cap", headers: .key(key)).problem(.invalidHeader)
        try await guest.buyNow(key: key).problem(.invalidHeader)
        #expect(try await guest.cart().lines == [])
    }
}
