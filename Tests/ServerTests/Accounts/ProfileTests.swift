import ServerTesting
import Testing

@Suite("The profile, the address book and the deletion of an account", .inShop([]))
struct ProfileTests {
    private let shop = TestShop.current
    private let customer: Caller

    init() async throws { customer = try await shop.customer() }

    @Test func `A patch changes the named fields, null clears a field, and the rest stays`() async throws {
        let patch = ProfilePatch(avatarURL: .set("https://example.com/ada.png"))
        let set = try await customer.call(Contract.updateProfile, patch).good()
        #expect(set.avatarURL == "https://example.com/ada.png")
        #expect(set.name == "Ada" && set.mobileNumber == "+49 30 1234567")
        let answer = try await customer.send("PATCH", "/v1/account", #"{"name": "Grace", "mobileNumber": null}"#)
        #expect(answer.status == 200)
        let profile = try await customer.profile().good()
        #expect(profile.name == "Grace" && profile.mobileNumber == nil)
        #expect(profile.avatarURL == "https://example.com/ada.png")
        #expect(try await customer.call(Contract.updateProfile, ProfilePatch()).good() == profile)
        #expect(try await shop.signIn().session?.profile == profile)
    }

    @Test func `A name is stored without the spaces around it, at sign-up and in a patch`() async throws {
        let padded = SignUpRequest(name: " Joan ", email: "joan@example.com", password: .password)
        #expect(try await shop.anyone.call(Contract.signUp, padded).good().profile?.name == "Joan")
        let patched = try await customer.call(Contract.updateProfile, ProfilePatch(name: " Grace  Hopper ")).good()
        #expect(patched.name == "Grace  Hopper")
        #expect(try await customer.profile().good().name == "Grace  Hopper")
    }

    @Test(arguments: [
        (#"{"name": null}"#, "name"), (#"{"name": ""}"#, "name"), (#"{"mobileNumber": "x"}"#, "mobileNumber"),
        (#"{"avatarURL": "javascript:alert(1)"}"#, "avatarURL"), (#"{"avatarURL": "file:///etc/passwd"}"#, "avatarURL"),
        (#"{"avatarURL": ""}"#, "avatarURL"), (#"{"avatarURL": 3}"#, "avatarURL"),
    ])
    func `An invalid value in the patch changes nothing`(body: String, field: String) async throws {
        #expect(try await customer.send("PATCH", "/v1/account", body).invalidFields() == [field])
        #expect(try await customer.profile().good() == customer.session?.profile)
    }

    @Test(arguments: ["email", "id", "role", "password"])
    func `A patch of e-mail, id, role or password is refused`(field: String) async throws {
        try await customer.send("PATCH", "/v1/account", "{\"\(field)\": \"admin\"}").problem(.unknownField)
    }

    // MARK: The address book

    private static let full = Address(
        name: "Ada", line1: "1 George St", line2: "Level 3", city: "Sydney", region: "NSW", postalCode: "2000",
        country: "AU", phone: "+61 2 1234", location: GeoPoint(latitude: -33.87, longitude: 151.21))

    private func addresses() async throws -> [Address] { try await customer.call(Contract.addresses).good().items }

    @Test func `An address is stored as sent, and gets an id`() async throws {
        let address = try await customer.addAddress(Self.full).good()
        #expect(address.id?.hasPrefix("adr_") == true)
        #expect(AddressInput(address) == AddressInput(Self.full))
        let second = try await customer.addAddress().good()
        let list = try await customer.call(Contract.addresses).good()
        #expect(list.items == [address, second] && list.nextCursor == nil)
    }

    @Test func `A patch changes the named fields, null clears one, and a deleted address is not found`() async throws {
        let id = try #require(try await customer.addAddress(Self.full).good().id)
        let answer = try await customer.send(
            "PATCH", "/v1/account/addresses/\(id)", #"{"city": "Perth", "line2": null, "location": null}"#)
        #expect(answer.status == 200)
        let changed = Address(
            id: id, name: "Ada", line1: "1 George St", city: "Perth", region: "NSW", postalCode: "2000", country: "AU",
            phone: "+61 2 1234")
        #expect(try await addresses() == [changed])
        try await customer.call(Contract.deleteAddress, path: ["id": id]).good()
        try await customer.call(Contract.deleteAddress, path: ["id": id]).problem(.notFound)
        try await customer.call(Contract.updateAddress, AddressPatch.empty, path: ["id": id]).problem(.notFound)
        #expect(try await addresses() == [])
    }

    @Test(arguments: [
        (#""country": "Germany""#, "country"), (#""country": "de""#, "country"), (#""country": "ÄÖ""#, "country"),
        (#""city": """#, "city"), (#""name": "   ""#, "name"), (#""postalCode": "a\u0000b""#, "postalCode"),
        (#""location": {"latitude": 91, "longitude": 0}"#, "location"), (#""line2": """#, "line2"),
    ])
    func `A patch with an invalid value changes nothing`(member: String, field: String) async throws {
        let address = try await customer.addAddress(Self.full).good()
        let refused = try await customer.send("PATCH", "/v1/account/addresses/\(address.id ?? "")", "{\(member)}")
        #expect(try refused.invalidFields() == [field])
        #expect(try await addresses() == [address])
    }

    @Test(arguments: ["name", "line1", "city", "postalCode", "country"])
    func `An address without a required field is refused`(field: String) async throws {
        let body = ["name", "line1", "city", "postalCode", "country"].filter { $0 != field }
            .map { "\"\($0)\": \"DE\"" }.joined(separator: ", ")
        let problem = try await customer.send("POST", "/v1/account/addresses", "{\(body)}").problem(.validationFailed)
        #expect(
            problem.problem.errors == [FieldProblem(field: field, code: "required", detail: "\(field) is missing.")])
    }

    @Test func `Another customer's address is not found`() async throws {
        let id = try #require(try await customer.addAddress().good().id)
        let bob = try await shop.customer("bob@example.com")
        try await bob.call(Contract.deleteAddress, path: ["id": id]).problem(.notFound)
        try await bob.call(Contract.updateAddress, AddressPatch.empty, path: ["id": id]).problem(.notFound)
        #expect(try await bob.call(Contract.addresses).good().items == [])
        #expect(try await addresses().map(\.id) == [id])
    }

    @Test func `An address book has up to 50 addresses, in pages without gaps or repeats`() async throws {
        var ids: [String?] = []
        for _ in 0..<ModelLimits.addresses { ids.append(try await customer.addAddress().good().id) }
        try await customer.addAddress().problem(.limitReached)
        let pages = try await customer.pages(Contract.addresses, limit: 7)
        #expect(pages.count == 8)
        #expect(pages.joined().map(\.id) == ids)
    }

    // MARK: Deletion

    @Test(.inShop()) func `Deletion erases personal data, and orders to be sent keep their address`() async throws {
        let other = try await shop.signIn()
        let order = try await customer.order()
        try await customer.addAddress().good()
        try await customer.add("scarf-s").good()
        try await customer.deleteAccount().good()
        for caller in [customer, other] { try await caller.profile().problem(.unauthenticated) }
        try await shop.anyone.signIn().problem(.invalidCredentials)
        let rows = try await shop.rows(
            "SELECT email IS NULL, shipping IS NULL, payment_amount FROM orders WHERE id = ?", [.text(order.id)])
        let kept = try #require(rows.first)
        #expect(try kept.int(0) == 0 && kept.int(1) == 0)
        #expect(try kept.integer(2) == order.totals.total.amount)
        for table in ["accounts", "addresses", "carts", "cart_lines", "idempotency"] {
            #expect(try await shop.rows("SELECT 1 FROM \(table)").isEmpty, "\(table)")
        }
    }

    @Test(.inShop()) func `The address of a deleted account can sign up again, as a new account`() async throws {
        _ = try await customer.order()
        try await customer.deleteAccount().good()
        let again = try await shop.customer()
        #expect(try again.accountId != customer.accountId)
        #expect(try await again.orders() == [])
    }
}
