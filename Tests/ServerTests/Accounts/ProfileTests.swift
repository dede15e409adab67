import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("The profile")
struct ProfileTests {
    @Test func `A patch changes what it names, null clears, and the rest stays`() async throws {
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
    func `A wrong value changes nothing`(body: String, field: String) async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let problem = try await customer.send("PATCH", "/v1/account", body).problem(.validationFailed).problem
            #expect(problem.errors?.map(\.field) == [field])
            #expect(try await customer.call(Contract.profile).good() == customer.session?.profile)
        }
    }

    @Test(arguments: ["email", "id", "role", "password"])
    func `What a patch cannot change is unknown to it`(field: String) async throws {
        try await TestShop.open([]) { shop in
            try await shop.customer().send("PATCH", "/v1/account", "{\"\(field)\": \"admin\"}").problem(.unknownField)
        }
    }
}
