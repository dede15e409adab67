import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

/// Sign-up, sign-in and sign-out.
struct SessionHandlers {
    let accounts: AccountService
    let issuer: SessionIssuer
    let authenticator: Authenticator
    let newSessions: NetworkLimiter?

    func signUp(_ call: OpenCall<SignUpRequest>) async throws -> UserSession {
        try newSessions?.take(from: call.context.network)
        let guest = try await authenticator.guest(call.request.headers)
        return try await accounts.signUp(
            name: call.input.name, email: call.input.email, mobileNumber: call.input.mobileNumber,
            password: call.input.password, network: call.context.network, userAgent: call.userAgent, guest: guest)
    }

    func signIn(_ call: OpenCall<SignInRequest>) async throws -> UserSession {
        try newSessions?.take(from: call.context.network)
        let guest = try await authenticator.guest(call.request.headers)
        return try await accounts.signIn(
            email: call.input.email, password: call.input.password, code: call.input.code,
            network: call.context.network, userAgent: call.userAgent, guest: guest)
    }

    func startGuestSession(_ call: OpenCall<Void>) async throws -> UserSession {
        try newSessions?.take(from: call.context.network)
        return try await accounts.startGuestSession()
    }

    func refresh(_ call: OpenCall<RefreshRequest>) async throws -> UserSession {
        try await issuer.refresh(
            call.input.refreshToken, from: SessionOrigin(network: call.context.network, userAgent: call.userAgent))
    }

    func signOut(_ call: Call<Void>) async throws -> Response {
        try await accounts.signOut(call.principal)
        return .noContent
    }
}

/// A customer's account and addresses.
struct AccountHandlers {
    let accounts: AccountService
    let pages: ListPager

    func profile(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<Profile> {
        Reply(try accounts.profile(call.principal, in: repositories))
    }

    func updateProfile(_ call: Call<ProfilePatch>, in repositories: any Repositories) throws -> Reply<Profile> {
        Reply(
            try accounts.updateProfile(call.principal, in: repositories) { account in
                account.name = call.input.name ?? account.name
                account.mobileNumber = call.input.mobileNumber.applied(to: account.mobileNumber)
                account.avatarURL = call.input.avatarURL.applied(to: account.avatarURL)
            })
    }

    func changePassword(_ call: Call<PasswordChangeRequest>) async throws -> Response {
        try await accounts.changePassword(
            call.principal, from: call.input.currentPassword, to: call.input.newPassword,
            network: call.context.network)
        return .noContent
    }

    func delete(_ call: Call<DeleteAccountRequest>) async throws -> Response {
        try await accounts.delete(
            call.principal, password: call.input.password, network: call.context.network)
        return .noContent
    }

    // MARK: Addresses

    func addresses(_ call: Call<PageQuery>, in repositories: any Repositories) throws -> Reply<Page<Address>> {
        Reply(
            try pages.page(
                of: try accounts.addresses(call.principal, in: repositories), list: "addresses",
                call.input, key: { $0.id ?? "" }))
    }

    func addAddress(_ call: Call<AddressInput>, in repositories: any Repositories) throws -> Reply<Address> {
        Reply(try accounts.addAddress(call.input.address(), for: call.principal, in: repositories))
    }

    func updateAddress(_ call: Call<AddressPatch>, in repositories: any Repositories) throws -> Reply<Address> {
        Reply(
            try accounts.updateAddress(id: call.parameter("id"), of: call.principal, in: repositories) {
                call.input.applied(to: $0)
            })
    }

    func deleteAddress(_ call: Call<Void>, in repositories: any Repositories) throws {
        try accounts.deleteAddress(id: call.parameter("id"), of: call.principal, in: repositories)
    }
}
