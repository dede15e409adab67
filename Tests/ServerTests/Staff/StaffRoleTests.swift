import ServerTesting
import Testing

@Suite("Access to the administration, and the roles of staff", .inShop(), .timeLimit(.minutes(5)))
struct StaffRoleTests {
    private static let roles = StaffRole.allCases.filter { $0 != .unrecognised }
    private static let endpoints = Endpoint.all.filter { $0.access.isForStaff }

    private let shop = TestShop.current

    @Test func `Exactly the endpoints below /v1/admin are for administrators`() {
        #expect(Self.endpoints.count > 10)
        for endpoint in Endpoint.all {
            #expect(endpoint.template.description.hasPrefix("/v1/admin/") == endpoint.access.isForStaff)
        }
    }

    @Test func `Requests without a token get 401, those of guests and customers 403`() async throws {
        let callers = [try await shop.guest(), try await shop.customer()]
        for endpoint in Self.endpoints {
            try await shop.anyone.request(endpoint).problem(.unauthenticated)
            let permission = try #require(endpoint.access.permission)
            for caller in callers {
                let problem = try await caller.request(endpoint).problem(.forbidden).problem
                #expect(problem.detail == "Only staff with the permission \(permission.rawValue) may do this.")
            }
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

    @Test func `Only an owner manages the staff, and only owners and managers give money back`() {
        #expect(Self.roles.filter { $0.permissions.contains(.manageStaff) } == [.owner])
        #expect(Self.roles.filter { $0.permissions.contains(.refundOrders) } == [.owner, .manager])
        #expect(StaffRole.owner.permissions == Permission.known && !Permission.known.contains(.unrecognised))
        #expect(StaffRole.readOnly.permissions.allSatisfy { $0.rawValue.hasSuffix(":read") })
        #expect(StaffRole.unrecognised.permissions.isEmpty)
    }

    @Test(arguments: roles)
    func `A role may call exactly the endpoints of its permissions; others name theirs`(role: StaffRole) async throws {
        _ = try await shop.staff(role)
        for endpoint in Endpoint.all where endpoint != Contract.signOut.endpoint {
            // Some endpoints end the session.
            let member = try await shop.signIn("\(role.rawValue.lowercased())@example.com")
            let answer = try await member.request(endpoint)
            let isAllowed = endpoint.access.permission.map(role.permissions.contains) ?? true
            if isAllowed {
                #expect(answer.status != 403 && answer.status != 401 && answer.status < 500, "\(endpoint.name)")
            } else {
                let permission = try #require(endpoint.access.permission)
                let detail = try answer.problem(.forbidden).problem.detail
                #expect(detail?.contains(permission.rawValue) == true, "\(endpoint.name)")
            }
        }
    }

    @Test func `A key may call exactly the endpoints of its scopes, and none of an account`() async throws {
        let owner = try await shop.admin()
        for permission in Permission.ofKeys {
            let key = shop.bearer(try await owner.newKey([permission]).good())
            for endpoint in Endpoint.all where endpoint.access != .anyone {
                let answer = try await shop.anyone.request(endpoint, headers: key)
                // It gives money back, too.
                let needsMore = endpoint == Contract.cancelManagedOrder.endpoint && permission == .writeOrders
                let needed = needsMore ? .refundOrders : endpoint.access.permission
                if needed == permission {
                    #expect(![401, 403].contains(answer.status) && answer.status < 500, "\(endpoint.name)")
                } else {
                    let detail = try answer.problem(.forbidden).problem.detail ?? ""
                    #expect(detail.contains(needed?.rawValue ?? "account"), "\(endpoint.name)")
                    #expect(!answer.text.contains(APIKeys.prefix))
                }
            }
        }
    }

    @Test func `A changed role counts from the next request on, with the same token`() async throws {
        let (owner, member) = (try await shop.admin(), try await shop.staff(.manager))
        try await member.call(Contract.discounts).good()
        try await member.change("cap", price: 900).good()
        try await owner.changeRole(member.accountId, to: .readOnly).good()
        try await member.call(Contract.discounts).good()
        try await member.change("cap", price: 800).problem(.forbidden)
        try await owner.removeStaff(member.accountId).good()
        try await member.call(Contract.discounts).problem(.unauthenticated)
        let again = try await shop.signIn("manager@example.com")
        #expect(again.session?.kind == .customer && again.session?.role == nil)
        try await again.call(Contract.discounts).problem(.forbidden)
    }

    @Test(arguments: ["NULL", "'emperor'"])
    func `An administrator without a role, or with an unknown one, may do nothing`(role: String) async throws {
        let admin = try await shop.admin()
        _ = try await shop.database { try $0.run("UPDATE accounts SET staff_role = \(role)", []) }
        try await admin.call(Contract.allOrders).problem(.forbidden)
    }
}
