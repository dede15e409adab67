import ServerTesting
import Testing

@Suite("Managing the staff", .inShop(), .timeLimit(.minutes(5)))
struct StaffManagementTests {
    private let shop = TestShop.current
    private let owner: Caller

    init() async throws { owner = try await shop.admin() }

    @Test func `An invited person makes an account with the role, once, by the link in the mail`() async throws {
        let invited = try await owner.invite("Joan@Example.com", as: .support).good()
        #expect(invited.status == .invited && invited.email == "joan@example.com" && invited.name == nil)
        let token = try await shop.invitationToken("joan@example.com")
        try await shop.accept(token, name: nil).problem(.validationFailed)
        try await shop.accept(token).good()
        let session = try #require(try await shop.signIn("joan@example.com").session)
        #expect(session.kind == .admin && session.role == .support)
        try await shop.accept(token).problem(.linkInvalid)
        let staff = try await owner.call(Contract.staff).good().items
        #expect(staff.map(\.email).sorted() == ["grace@example.com", "joan@example.com"])
        #expect(staff.allSatisfy { $0.status == .active && $0.hasSecondFactor == false })
        try await owner.invite("joan@example.com", as: .owner).problem(.validationFailed)
    }

    @Test func `A customer joins the staff with the account's password, and can be a customer again`() async throws {
        let ada = try await shop.customer()
        let order = try await ada.order()
        try await owner.invite("ada@example.com", as: .manager).good()
        let token = try await shop.invitationToken("ada@example.com")
        // A stranger who has the mail does not have the account, and the reverse.
        try await shop.accept(token, password: "another horse").problem(.invalidCredentials)
        try await ada.call(Contract.allOrders).problem(.forbidden)
        try await shop.accept(token).good()
        let member = try await shop.signIn()
        try await member.call(Contract.allOrders).good()
        #expect(try await member.order(id: order.id).id == order.id)
        try await owner.removeStaff(member.accountId).good()
        let customer = try await shop.signIn()
        #expect(customer.session?.kind == .customer)
        #expect(try await customer.order(id: order.id).id == order.id)
    }

    /// `GrantTests` has the end of the right to invite.
    @Test func `An invitation ends by expiry, by withdrawal and by a newer one`() async throws {
        try await owner.invite("a@example.com", as: .support).good()
        let first = try await shop.invitationToken("a@example.com")
        shop.clock.advance(by: 1)
        let second = try await owner.invite("a@example.com", as: .readOnly).good()
        try await shop.accept(first).problem(.linkInvalid)
        try await owner.removeStaff(second.id).good()
        try await shop.accept(shop.invitationToken("a@example.com")).problem(.linkInvalid)
        try await owner.invite("c@example.com", as: .support).good()
        let last = try await shop.invitationToken("c@example.com")
        shop.clock.advance(by: StaffInvitation.lifetime)
        try await shop.accept(last).problem(.linkInvalid)
        let staff = try await shop.signIn("grace@example.com").call(Contract.staff).good().items
        #expect(staff.allSatisfy { $0.status == .active })
    }

    @Test(arguments: ["", "x", "inv_1.1.x", "inv_1.99999999999999999999.x", String(repeating: "x", count: 500)])
    func `A forged invitation is refused`(token: String) async throws {
        try await shop.accept(token).problem(.linkInvalid)
    }

    @Test func `A token with another expiry or purpose is not accepted as an invitation`() async throws {
        let invited = try await owner.invite("a@example.com", as: .owner).good()
        let token = try await shop.invitationToken("a@example.com")
        let parts = token.split(separator: ".").map(String.init)
        try await shop.accept("\(parts[0]).9\(parts[1]).\(parts[2])").problem(.linkInvalid)
        let signer = LinkSigner(keyRing: shop.services.keyRing, digests: shop.environment.digests)
        let expiry = shop.clock.now.addingTimeInterval(60)
        for purpose in SignedLink.Purpose.allCases where purpose != .staffInvitation {
            let link = SignedLink(purpose, id: invited.id, expiresAt: expiry)
            try await shop.accept(signer.token(for: link)).problem(.linkInvalid)
        }
    }

    @Test func `Each way to remove the last owner is refused`() async throws {
        _ = try await shop.staff(.manager)
        try await owner.changeRole(owner.accountId, to: .manager).problem(.lastOwner)
        try await owner.removeStaff(owner.accountId).problem(.lastOwner)
        try await owner.deleteAccount().problem(.lastOwner)
        let staff = Staff(shop.environment)
        await #expect(throws: DomainError.lastOwner) {
            try await shop.store.write { try staff.demote(email: "grace@example.com", in: $0) }
        }
        await #expect(throws: DomainError.lastOwner) {
            try await shop.store.write { try staff.promote(email: "grace@example.com", to: .support, in: $0) }
        }
        try await owner.call(Contract.staff).good()
    }

    @Test func `Of two owners who remove each other at once, one stays`() async throws {
        for round in 0..<4 {
            let one = try await shop.staff(.owner, "one\(round)@example.com")
            let two = try await shop.staff(.owner, "two\(round)@example.com")
            // No other owner is left from the rounds before.
            _ = try await shop.database {
                try $0.run("UPDATE accounts SET staff_role = 'support' WHERE email NOT LIKE ?", [.text("%\(round)@%")])
            }
            let statuses = try await parallel(2) { index in
                try await [one, two][index].changeRole([two, one][index].accountId, to: .support).status
            }
            #expect(statuses.filter { $0 == 200 }.count == 1, "\(statuses)")
            let owners = try await shop.rows("SELECT id FROM accounts WHERE role = 'admin' AND staff_role = 'owner'")
            #expect(owners.count == 1)
        }
    }

    @Test func `Unknown roles and unknown members are refused`() async throws {
        let customer = try await shop.customer()
        let emperor = #"{"email":"a@example.com","role":"emperor"}"#
        try await owner.send("POST", "/v1/admin/staff", emperor).problem(.validationFailed)
        try await owner.invite("no address", as: .support).problem(.validationFailed)
        try await owner.changeRole("acc_nobody", to: .support).problem(.notFound)
        try await owner.changeRole(customer.accountId, to: .support).problem(.notFound)
        try await owner.removeStaff(customer.accountId).problem(.notFound)
    }

    @Test func `The list has pages`() async throws {
        for number in 0..<4 { try await owner.invite("i\(number)@example.com", as: .support).good() }
        let pages = try await owner.pages(Contract.staff, limit: 2)
        #expect(pages.map(\.count) == [2, 2, 1])
        #expect(Set(pages.joined().map(\.id)).count == 5)
    }
}
