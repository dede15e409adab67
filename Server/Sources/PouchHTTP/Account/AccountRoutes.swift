import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

/// The account of a customer.
struct AccountRoutes {
    let services: ShopServices

    func register(with routes: RouteRegistrar) {
        let accounts = services.accounts
        routes.read(Contract.profile) { _, principal, repositories in
            Reply(try accounts.profile(principal, in: repositories))
        }
        routes.write(Contract.updateProfile) { call, principal, repositories in
            Reply(
                try accounts.updateProfile(principal, in: repositories) { account in
                    account.name = call.body.name ?? account.name
                    account.mobileNumber = call.body.mobileNumber.applied(to: account.mobileNumber)
                    account.avatarURL = call.body.avatarURL.applied(to: account.avatarURL)
                })
        }
        routes.perform(Contract.changePassword) { call, principal, _ in
            try await accounts.changePassword(
                principal, from: call.body.currentPassword, to: call.body.newPassword,
                address: call.context.remoteAddress)
            return .noContent
        }
        routes.perform(Contract.deleteAccount) { call, principal, _ in
            try await accounts.delete(
                principal, password: call.body.password, address: call.context.remoteAddress)
            return .noContent
        }
    }
}
