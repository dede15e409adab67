import HTTPTypes
import HummingbirdTesting
import ServerTesting
import Testing

@testable import PouchDomain

@Suite("Access to the administration", .inShop())
struct AdministrationRightsTests {
    private static let endpoints = Endpoint.all.filter { $0.access.isForStaff }

    private let shop = TestShop.current

    private func request(_ caller: Caller, _ endpoint: Endpoint) async throws -> Answered<Void> {
        try await caller.send(
            endpoint.method.rawValue, endpoint.template.path(["sku": "cap", "id": "xyz_1"]),
            endpoint.method == .get ? nil : "{}")
    }

    @Test func `Exactly the endpoints below /v1/admin are for administrators`() {
        #expect(Self.endpoints.count > 10)
        for endpoint in Endpoint.all {
            #expect(endpoint.template.description.hasPrefix("/v1/admin/") == endpoint.access.isForStaff)
        }
    }

    @Test(arguments: endpoints)
    func `Requests without a token get 401, those of guests and customers 403`(endpoint: Endpoint) async throws {
        try await request(shop.anyone, endpoint).problem(.unauthenticated)
        let permission = try #require(endpoint.access.permission)
        for caller in [try await shop.guest(), try await shop.customer()] {
            let problem = try await request(caller, endpoint).problem(.forbidden).problem
            #expect(problem.detail == "Only staff with the permission \(permission.rawValue) may do this.")
        }
    }

    @Test func `Refused requests of a customer have no effect`() async throws {
        let (admin, customer) = (try await shop.admin(), try await shop.customer())
        let order = try await customer.order()
        try await customer.change("cap", price: 1, available: 500).problem(.forbidden)
        try await customer.fulfil(order.id).problem(.forbidden)
        try await customer.addDiscount(.ten).problem(.forbidden)
        #expect(try await shop.available("cap") == 9)
        #expect(try await customer.order(id: order.id) == order)
        #expect(try await admin.call(Contract.discounts).good().items == [])
    }
}
