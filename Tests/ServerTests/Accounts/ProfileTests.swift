import PouchContract
import PouchEntities
import PouchStorage
import PouchWire
import Testing

@Suite("The profile")
struct ProfileTests {
    @Test func `A patch changes the named fields, null clears a field, and the rest stays`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let set = try await customer.call(
                Contract.updateProfile, ProfilePatch(avatarURL: .set("https://example.com/ada.png"))
            ).good()
            #expect(set.avatarURL == "https://example.com/ada.png")
            #expect(set.name == "Ada" && set.mobileNumber == "+49 30 1234567")

            let answer = try await customer.send("PATCH", "/v1/account", #"{"name": "Grace", "mobileNumber": null}"#)
            #expect(answer.status == 200)
            let profile = try await customer.call(Contract.profile).good()
            #expect(profile.name == "Grace" && profile.mobileNumber == nil)
            #expect(profile.avatarURL == "https://example.com/ada.png")

            #expect(try await customer.call(Contract.updateProfile, ProfilePatch()).good() == profile)
            #expect(try await shop.signIn().session?.profile == profile)
        }
    }

    @Test(arguments: [
        (#"{"name": null}"#, "name"), (#"{"name": ""}"#, "name"), (#"{"mobileNumber": "x"}"#, "mobileNumber"),
        (#"{"avatarURL": "javascript:alert(1)"}"#, "avatarURL"), (#"{"avatarURL": "file:///etc/passwd"}"#, "avatarURL"),
        (#"{"avatarURL": ""}"#, "avatarURL"), (#"{"avatarURL": 3}"#, "avatarURL"),
    ])
    func `An invalid value in the patch changes nothing`(body: String, field: String) async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let problem = try await customer.send("PATCH", "/v1/account", body).problem(.validationFailed).problem
            #expect(problem.errors?.map(\.field) == [field])
            #expect(try await customer.call(Contract.profile).good() == customer.session?.profile)
        }
    }

    @Test(arguments: ["email", "id", "role", "password"])
    func `A patch of e-mail, id, role or password is refused`(field: String) async throws {
        try await TestShop.open([]) { shop in
            try await shop.customer().send("PATCH", "/v1/account", "{\"\(field)\": \"admin\"}").problem(.unknownField)
        }
    }
}

@Suite("The address book")
struct AddressTests {
    private static let full = Address(
        name: "Ada", line1: "1 George St", line2: "Level 3", city: "Sydney", region: "NSW", postalCode: "2000",
        country: "AU", phone: "+61 2 1234", location: GeoPoint(latitude: -33.87, longitude: 151.21))

    @Test func `An address is stored as sent, and gets an id`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let address = try await customer.call(Contract.addAddress, AddressInput(Self.full)).good()
            let id = try #require(address.id)
            #expect(id.hasPrefix("adr_"))
            #expect(AddressInput(address) == AddressInput(Self.full))
            shop.clock.advance(by: 1)
            let second = try await customer.call(Contract.addAddress, AddressInput(.sample)).good()
            let list = try await customer.call(Contract.addresses).good()
            #expect(list.items == [address, second] && list.nextCursor == nil)
        }
    }

    @Test func `A patch changes the named fields, null clears a field, and a deleted address is not found`()
        async throws
    {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let id = try #require(try await customer.call(Contract.addAddress, AddressInput(Self.full)).good().id)
            let answer = try await customer.send(
                "PATCH", "/v1/account/addresses/\(id)", #"{"city": "Perth", "line2": null, "location": null}"#)
            #expect(answer.status == 200)
            let changed = try #require(try await customer.call(Contract.addresses).good().items.first)
            #expect(changed.city == "Perth" && changed.line2 == nil && changed.location == nil)
            #expect(changed.id == id && changed.region == "NSW" && changed.phone == "+61 2 1234")

            try await customer.call(Contract.deleteAddress, path: ["id": id]).good()
            try await customer.call(Contract.deleteAddress, path: ["id": id]).problem(.notFound)
            try await customer.call(Contract.updateAddress, AddressPatch(), path: ["id": id]).problem(.notFound)
            #expect(try await customer.call(Contract.addresses).good().items == [])
        }
    }

    @Test(arguments: [
        (#""country": "Germany""#, "country"), (#""country": "de""#, "country"), (#""country": "ÄÖ""#, "country"),
        (#""city": """#, "city"), (#""name": "   ""#, "name"), (#""postalCode": "a\u0000b""#, "postalCode"),
        (#""location": {"latitude": 91, "longitude": 0}"#, "location"), (#""line2": """#, "line2"),
    ])
    func `A patch with an invalid value changes nothing`(member: String, field: String) async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let address = try await customer.call(Contract.addAddress, AddressInput(Self.full)).good()
            let problem = try await customer.send(
                "PATCH", "/v1/account/addresses/\(address.id ?? "")", "{\(member)}"
            ).problem(.validationFailed).problem
            #expect(problem.errors?.map(\.field) == [field])
            #expect(try await customer.call(Contract.addresses).good().items == [address])
        }
    }

    @Test(arguments: ["name", "line1", "city", "postalCode", "country"])
    func `An address without a required field is refused`(field: String) async throws {
        try await TestShop.open([]) { shop in
            let body = ["name", "line1", "city", "postalCode", "country"].filter { $0 != field }
                .map { "\"\($0)\": \"DE\"" }.joined(separator: ", ")
            let problem = try await shop.customer().send("POST", "/v1/account/addresses", "{\(body)}")
                .problem(.validationFailed).problem
            #expect(problem.errors == [FieldProblem(field: field, code: "required", detail: "\(field) is missing.")])
        }
    }

    @Test func `Another customer's address is not found`() async throws {
        try await TestShop.open([]) { shop in
            let ada = try await shop.customer()
            let id = try #require(try await ada.call(Contract.addAddress, AddressInput(.sample)).good().id)
            let bob = try await shop.customer("bob@example.com")
            try await bob.call(Contract.deleteAddress, path: ["id": id]).problem(.notFound)
            try await bob.call(Contract.updateAddress, AddressPatch(), path: ["id": id]).problem(.notFound)
            #expect(try await bob.call(Contract.addresses).good().items == [])
            #expect(try await ada.call(Contract.addresses).good().items.map(\.id) == [id])
        }
    }

    @Test func `An address book has up to 50 addresses, in pages without gaps or repeats`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            var ids: [String?] = []
            for _ in 0..<ModelLimits.addresses {
                ids.append(try await customer.call(Contract.addAddress, AddressInput(.sample)).good().id)
                shop.clock.advance(by: 0.01)
            }
            try await customer.call(Contract.addAddress, AddressInput(.sample)).problem(.limitReached)
            let pages = try await customer.pages(Contract.addresses, limit: 7)
            #expect(pages.count == 8)
            #expect(pages.joined().map(\.id) == ids)
        }
    }
}

@Suite("Deleting an account")
struct AccountDeletionTests {
    @Test func `Deleting an account erases the personal data, and orders that are to be sent keep their address`()
        async throws
    {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            let other = try await shop.signIn()
            let order = try await customer.order()
            try await shop.admin().addDiscount(DiscountTerms(code: "SHIP", kind: .freeShipping)).good()
            try await customer.buyNow([LineRequest(sku: "cap", quantity: 1)], discount: "SHIP", total: 1000).good()
            try await customer.call(Contract.addAddress, AddressInput(.sample)).good()
            try await customer.add("scarf-s").good()
            try await customer.call(Contract.deleteAccount, DeleteAccountRequest(password: .password)).good()

            for caller in [customer, other] { try await caller.call(Contract.profile).problem(.unauthenticated) }
            try await shop.anyone.call(Contract.signIn, SignInRequest(email: "ada@example.com", password: .password))
                .problem(.invalidCredentials)
            let kept = try #require(
                try await shop.rows(
                    "SELECT email IS NULL, shipping IS NULL, payment_amount FROM orders WHERE id = ?", [.text(order.id)]
                )
                .first)
            #expect(try kept.int(0) == 0 && kept.int(1) == 0)
            #expect(try kept.integer(2) == order.totals.total.amount)
            #expect(try await shop.rows("SELECT 1 FROM accounts WHERE role <> 'admin'").isEmpty)
            for table in ["addresses", "carts", "cart_lines", "idempotency"] {
                #expect(try await shop.rows("SELECT 1 FROM \(table)").isEmpty, "\(table)")
            }
            // A hash of the e-mail address is left.
            let owners = try await shop.rows("SELECT owner_id FROM discount_uses").map { try $0.text(0) }
            #expect(owners.count == 1 && owners.allSatisfy { $0.hasPrefix("email ") && !$0.contains("ada") })
        }
    }

    @Test func `The e-mail address of a deleted account can sign up again, as a new account`() async throws {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            _ = try await customer.order()
            try await customer.call(Contract.deleteAccount, DeleteAccountRequest(password: .password)).good()
            let again = try await shop.customer()
            #expect(again.session?.profile?.id != customer.session?.profile?.id)
            #expect(try await again.call(Contract.orders).good().items == [])
        }
    }

    @Test func `An account is not deleted with a wrong password`() async throws {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            try await customer.call(Contract.deleteAccount, DeleteAccountRequest(password: "wrong password"))
                .problem(.invalidCredentials)
            try await customer.call(Contract.profile).good()
        }
    }
}
