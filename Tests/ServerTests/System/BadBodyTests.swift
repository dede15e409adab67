import Foundation
import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("Bodies that are no good")
struct BadBodyTests {
    @Test(arguments: [
        "", " ", "{", "nonsense", "{\"email\": }", "[1,2", "{\"email\":\"a\"} trailing", "{'email':'a'}", "\u{FEFF}",
        "{\"email\":\"\\ud800\",\"password\":\"12345678\"}", "{\"email\":\"a\u{1}\",\"password\":\"x\"}",
    ])
    func `What is not JSON cannot be read`(body: String) async throws {
        try await TestShop.open([]) { shop in
            try await shop.anyone.send("POST", "/v1/sessions", body).problem(.invalidJSON)
        }
    }

    @Test func `Bytes that are not UTF-8 cannot be read`() async throws {
        try await TestShop.open([]) { shop in
            let bytes = Data(#"{"email":""#.utf8) + Data([0xC3, 0x28, 0xFF]) + Data(#"","password":"12345678"}"#.utf8)
            try await shop.anyone.send("POST", "/v1/sessions", bytes: bytes).problem(.invalidJSON)
        }
    }

    @Test(arguments: ["[]", "3", "null", "\"text\"", "true"])
    func `JSON of another kind is read, but wrong`(body: String) async throws {
        try await TestShop.open([]) { shop in
            try await shop.anyone.send("POST", "/v1/sessions", body).problem(.validationFailed)
        }
    }

    @Test(arguments: [
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
    func `A wrong value is told with its field`(body: String, field: String, code: String) async throws {
        try await TestShop.open { shop in
            let problem = try await shop.guest().send("POST", "/v1/cart/lines", body).problem(.validationFailed).problem
            #expect(problem.errors?.map(\.field) == [field])
            #expect(problem.errors?.map(\.code) == [code])
        }
    }

    @Test(arguments: ["1.5", "1e999", "9223372036854775808", "-1e400"])
    func `A number that no whole number is, is refused`(number: String) async throws {
        try await TestShop.open { shop in
            let answer = try await shop.guest().send(
                "POST", "/v1/cart/lines", "{\"sku\": \"cap\", \"quantity\": \(number)}")
            #expect([400, 422].contains(answer.status), "\(answer.text)")
            answer.expectNoLeak()
        }
    }

    @Test func `Unknown fields are refused, nested ones too, each with its path`() async throws {
        try await TestShop.open { shop in
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
    }

    @Test(arguments: [1, 500])
    func `Of a thousand unknown fields twenty are named, and each at no great length`(length: Int) async throws {
        try await TestShop.open { shop in
            let names = (0..<1_000).map { String(repeating: "x", count: length) + String($0) }
            let fields = names.map { "\"\($0)\": 1" }.joined(separator: ", ")
            let answer = try await shop.guest().send(
                "POST", "/v1/cart/lines", "{\"sku\": \"cap\", \"quantity\": 1, \(fields)}")
            let errors = try #require(try answer.problem(.unknownField).problem.errors)
            #expect(errors.count == 20)
            #expect(
                errors.allSatisfy { error in error.field.count <= 80 && names.contains { $0.hasPrefix(error.field) } })
            #expect(answer.body.count < 16 << 10)
        }
    }

    @Test func `An unknown field has no effect`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.send("POST", "/v1/cart/lines", #"{"sku": "cap", "quantity": 1, "price": 1}"#)
                .problem(.unknownField)
            #expect(try await guest.cart().lines == [])
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [33, 5_000, 500_000])
    func `Nested brackets are refused, however many`(depth: Int) async throws {
        try await TestShop.open([]) { shop in
            let body = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            try await shop.anyone.send("POST", "/v1/sessions", body).problem(.jsonTooDeep)
            let objects = String(repeating: #"{"a":"#, count: depth)
            try await shop.anyone.send("POST", "/v1/accounts", objects.prefix(1 << 20).description)
                .problem(.jsonTooDeep)
        }
    }

    @Test(arguments: [TestingSetupName.router, .live])
    func `A body of 2 MiB is too large, and the connection goes on`(setup: TestingSetupName) async throws {
        try await TestShop.open([], setup: setup.value) { shop in
            let body = "{\"email\":\"" + String(repeating: "a", count: 2 << 20) + "\",\"password\":\"12345678\"}"
            try await shop.anyone.send("POST", "/v1/sessions", body).problem(.bodyTooLarge)
        }
    }

    @Test func `A body of 1 MiB is read`() async throws {
        try await TestShop.open([]) { shop in
            let frame = "{\"email\":\"\",\"password\":\"12345678\"}"
            let padding = String(repeating: " ", count: Limits.bodyBytes - frame.utf8.count)
            try await shop.anyone.send("POST", "/v1/sessions", frame + padding).problem(.invalidCredentials)
            try await shop.anyone.send("POST", "/v1/sessions", frame + padding + " ").problem(.bodyTooLarge)
        }
    }

    @Test(arguments: [
        "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp",
        "application/json-patch+json", "nonsense",
    ])
    func `Another media type is not supported`(type: String) async throws {
        try await TestShop.open([]) { shop in
            try await shop.anyone.send(
                "POST", "/v1/sessions", #"{"email":"a@b.de","password":"12345678"}"#, headers: ["Content-Type": type]
            ).problem(.unsupportedMediaType)
        }
    }

    @Test(arguments: ["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])
    func `JSON is taken under each of its names`(type: String) async throws {
        try await TestShop.open([]) { shop in
            try await shop.anyone.send(
                "POST", "/v1/sessions", #"{"email":"a@b.de","password":"12345678"}"#, headers: ["Content-Type": type]
            ).problem(.invalidCredentials)
        }
    }

    @Test func `A SKU with a NUL character is another than the one before it`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.send("POST", "/v1/cart/lines", #"{"sku": "cap\u0000x", "quantity": 1}"#)
                .problem(.unknownSKU)
            try await guest.send("POST", "/v1/orders/preview", #"{"lines": [{"sku": "cap\u0000x", "quantity": 1}]}"#)
                .problem(.unknownSKU)
        }
    }
}
