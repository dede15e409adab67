import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities

/// Signing up, in and out.
struct SessionRoutes {
    let services: ShopServices
    let authenticator: Authenticator

    func register(with routes: RouteRegistrar) {
        let accounts = services.accounts
        routes.open(Contract.signUp) { call in
            let guest = try await authenticator.guest(call.request.headers)
            return try await accounts.signUp(
                name: call.body.name, email: call.body.email, mobileNumber: call.body.mobileNumber,
                password: call.body.password, guest: guest)
        }
        routes.open(Contract.signIn) { call in
            let guest = try await authenticator.guest(call.request.headers)
            return try await accounts.signIn(
                email: call.body.email, password: call.body.password, address: call.context.remoteAddress,
                guest: guest)
        }
        routes.open(Contract.startGuestSession) { _ in try await accounts.startGuestSession() }
        routes.open(Contract.refreshSession) { call in try await services.issuer.refresh(call.body.refreshToken) }
        routes.perform(Contract.signOut) { _, principal, _ in
            try await accounts.signOut(principal)
            return .noContent
        }
    }
}
