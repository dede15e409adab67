import Foundation
import PouchClient
import Testing

struct PouchClientTests {
    @Test func `one import is enough to shop`() async throws {
        struct Shop: Transport {
            func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
                StreamedResponse(answer(to: request))
            }

            private func answer(to request: NetworkRequest) -> NetworkResponse {
                switch request.url.path() {
                case "/v1/sessions/guest": .json(Fixture.session(account: nil), status: 201)
                case "/v1/cart/checkout": .json(Fixture.order(), status: 201)
                default: .json(Fixture.cart())
                }
            }
        }
        let client = Pouch(server: try #require(URL(string: "http://127.0.0.1")), transport: Shop())
        let cart = try await client.cart.add(sku: "a")
        let order = try await client.checkout.pay(for: cart, with: .card(token: "tok_ok"), email: "ada@example.org")
        #expect(order.number == "P-1")
        #expect(client.account.session?.kind == .guest)
    }
}
