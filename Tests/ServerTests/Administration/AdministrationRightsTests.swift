import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("Who may run the shop")
struct AdministrationRightsTests {
    private static let endpoints = Endpoint.all.filter { $0.access == .admin }

    private func ask(_ caller: Caller, _ endpoint: Endpoint) async throws -> Answered<Void> {
        try await caller.send(
            endpoint.method.rawValue, endpoint.template.path(["sku": "cap", "id": "xyz_1"]),
            endpoint.method == .get ? nil : "{}")
    }

    @Test func `Everything below /v1/admin is for administrators, and nothing else is`() {
        #expect(Self.endpoints.count > 10)
        for endpoint in Endpoint.all {
            #expect(endpoint.template.description.hasPrefix("/v1/admin/") == (endpoint.access == .admin))
        }
    }

    @Test(arguments: endpoints)
    func `Without a token it is 401, for guests and customers 403`(endpoint: Endpoint) async throws {
        try await TestShop.open { shop in
            try await ask(shop.anyone, endpoint).problem(.unauthenticated)
            try await ask(shop.guest(), endpoint).problem(.forbidden)
            try await ask(shop.customer(), endpoint).problem(.forbidden)
        }
    }

    @Test func `A customer's requests have no effect`() async throws {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            let order = try await customer.order()
            try await customer.change("cap", price: 1, available: 500).problem(.forbidden)
            try await customer.fulfil(order.id).problem(.forbidden)
            try await customer.addDiscount(.ten).problem(.forbidden)
            #expect(try await shop.available("cap") == 9)
            #expect(try await customer.order(id: order.id) == order)
            #expect(try await shop.admin().call(Contract.discounts).good().items == [])
        }
    }

    @Test func `An administrator whose session has ended is nobody`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            try await admin.call(Contract.signOut).good()
            try await admin.change("cap", price: 1).problem(.unauthenticated)
        }
    }
}
