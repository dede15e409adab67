import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("The address book")
struct AddressTests {
    private static let full = Address(
        name: "Ada", line1: "1 George St", line2: "Level 3", city: "Sydney", region: "NSW", postalCode: "2000",
        country: "AU", phone: "+61 2 1234", location: GeoPoint(latitude: -33.87, longitude: 151.21))

    @Test func `An address is kept as it was sent, and gets an id`() async throws {
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

    @Test func `A patch changes what it names, null clears, and a deleted address is gone`() async throws {
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
    func `A patch with a wrong value changes nothing`(member: String, field: String) async throws {
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
    func `What an address must have is required`(field: String) async throws {
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

    @Test func `There is room for fifty, in pages without gaps or repeats`() async throws {
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
