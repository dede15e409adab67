import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("Ending sessions")
struct SessionTests {
    @Test func `Signing out ends one session, at once`() async throws {
        try await TestShop.open([]) { shop in
            let one = try await shop.customer()
            let other = try await shop.signIn()
            try await one.call(Contract.signOut).good()
            try await one.call(Contract.profile).problem(.unauthenticated)
            let token = try #require(one.session?.remoteSession.refreshToken)
            try await shop.anyone.call(Contract.refreshSession, RefreshRequest(refreshToken: token))
                .problem(.unauthenticated)
            try await other.call(Contract.profile).good()
        }
    }

    @Test func `Two servers of a shop take each other's tokens, and each other's sign-outs`() async throws {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            try await customer.add("cap").good()
            try await shop.another { other in
                let there = other.caller(try #require(customer.session))
                #expect(try await there.cart().lines.map(\.sku) == ["cap"])
                try await there.call(Contract.signOut).good()
                try await customer.call(Contract.cart).problem(.unauthenticated)

                let guest = try await other.guest()
                let here = shop.caller(try #require(guest.session))
                try await here.call(Contract.cart).good()
                try await here.call(Contract.signOut).good()
                try await guest.call(Contract.cart).problem(.unauthenticated)
            }
        }
    }

    @Test func `A new password ends all other sessions, and the old password`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let other = try await shop.signIn()
            let change = PasswordChangeRequest(currentPassword: .password, newPassword: "another password")
            try await customer.call(Contract.changePassword, change).good()
            try await other.call(Contract.profile).problem(.unauthenticated)
            try await customer.call(Contract.profile).good()
            try await shop.anyone.call(Contract.signIn, SignInRequest(email: "ada@example.com", password: .password))
                .problem(.invalidCredentials)
            _ = try await shop.signIn(password: "another password")
        }
    }

    @Test func `A password changes only for who knows the old one, and to a good one`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let other = try await shop.signIn()
            try await customer.call(
                Contract.changePassword,
                PasswordChangeRequest(currentPassword: "wrong", newPassword: "another password")
            ).problem(.invalidCredentials)
            let problem = try await customer.call(
                Contract.changePassword, PasswordChangeRequest(currentPassword: .password, newPassword: "short")
            ).problem(.validationFailed).problem
            #expect(problem.errors?.map(\.field) == ["newPassword"])
            try await other.call(Contract.profile).good()
            _ = try await shop.signIn()
        }
    }
}
