import PouchWire
import Testing

@Suite("Naming requests")
struct RequestIdTests {
    private let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func `Every answer has a request id of its own`() async throws {
        try await TestShop.open([]) { shop in
            var ids: Set<String> = []
            for path in ["/health/live", "/v1/products", "/v1/products", "/nowhere", "/v1/cart"] {
                ids.insert(try #require(try await shop.anyone.send("GET", path).header(HeaderName.requestId)))
            }
            #expect(ids.count == 5)
        }
    }

    @Test func `A trace parent is taken over, on good answers and bad`() async throws {
        try await TestShop.open([]) { shop in
            for path in ["/v1/products", "/nowhere"] {
                let answer = try await shop.anyone.send("GET", path, headers: [HeaderName.traceparent: parent])
                #expect(answer.header(HeaderName.traceparent) == parent)
            }
        }
    }

    @Test(arguments: [
        "", "nonsense", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ])
    func `A trace parent that is none is left alone`(text: String) async throws {
        try await TestShop.open([]) { shop in
            let answer = try await shop.anyone.send("GET", "/v1/products", headers: [HeaderName.traceparent: text])
            #expect(answer.status == 200)
            #expect(answer.header(HeaderName.traceparent) == nil)
        }
    }
}
