import HTTPTypes
import HummingbirdTesting
import PouchWire
import Testing

@Suite("Paths and methods")
struct MethodTests {
    @Test(arguments: [
        ("DELETE", "/v1/products", "GET, HEAD"), ("GET", "/v1/sessions", "POST"), ("HEAD", "/v1/accounts", "POST"),
        ("PUT", "/v1/cart", "DELETE, GET, HEAD"), ("POST", "/v1/cart/lines/cap", "DELETE, PUT"),
        ("GET", "/v1/cart/lines/cap", "DELETE, PUT"), ("POST", "/assets/a/b.svg", "GET, HEAD"),
        ("DELETE", "/v1/orders/ord_1", "GET, HEAD"), ("OPTIONS", "/v1/account", "DELETE, GET, HEAD, PATCH"),
        ("BREW", "/health/live", "GET, HEAD"), ("DELETE", "/v1/products/nobody", "GET, HEAD"),
    ])
    func `Another method on a known path is refused with those that are allowed`(
        method: String, path: String, allowed: String
    ) async throws {
        try await TestShop.open([]) { shop in
            let answer = try await shop.anyone.send(method, path)
            try answer.problem(.methodNotAllowed)
            #expect(answer.header("Allow") == allowed)
        }
    }

    @Test(arguments: [
        "/", "/v1", "/v2/products", "/v1/nothing", "/v1/cart/lines/a/b", "/v1/products/cap/variants", "/assets",
        "/health", "/.env", "/v1/orders/x/y/z",
    ])
    func `A path that is not there is not found, whatever the method`(path: String) async throws {
        try await TestShop.open([]) { shop in
            for method in ["GET", "POST", "DELETE"] { try await shop.anyone.send(method, path).problem(.notFound) }
        }
    }

    @Test(arguments: ["/v1/products", "/v1/products/cap", "/health/live", "/v1/seasons"])
    func `HEAD has the status and the headers of GET`(path: String) async throws {
        try await TestShop.open(setup: .live) { shop in
            let get = try await shop.anyone.send("GET", path)
            let head = try await shop.anyone.send("HEAD", path)
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(!get.body.isEmpty)
            for name in ["Content-Type", "ETag", "Cache-Control", "Content-Length"] {
                #expect(head.header(name) == get.header(name), "\(name)")
            }
        }
    }
}
