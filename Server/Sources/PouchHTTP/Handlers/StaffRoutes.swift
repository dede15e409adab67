import PouchContract
import PouchDomain
import PouchEntities
import PouchJSON
import PouchWire

extension ShopRouter {
    /// The staff, invitations and API keys.
    static func addStaff(to routes: RouteRegistrar, _ services: ShopServices) {
        let (environment, accounts, steps) = (services.environment, services.accounts, routes.steps)
        let signer = LinkSigner(keyRing: services.keyRing, digests: environment.digests)
        routes(Contract.acceptInvitation).open { call in
            let link = try await environment.store.read { [now = environment.time.now] repositories in
                do {
                    return try signer.link(.staffInvitation, from: call.input.token, at: now, in: repositories)
                } catch is SignedLinkError {
                    throw DomainError.linkInvalid
                }
            }
            try await accounts.acceptInvitation(
                id: link.id, name: call.input.name, password: call.input.password, network: call.context.network
            ) { accountId, invitation, repositories in
                let values: JSON = [
                    "invitation": .string(invitation.id), "role": .string(invitation.role.rawValue),
                ]
                try steps.record(Contract.acceptInvitation, by: accountId, call, values: values, in: repositories)
            }
        }

        let staff = Staff(environment)
        routes(Contract.staff).list("staff", by: \.id) { _, page, repositories in
            try repositories.staff.members(after: page.after, limit: page.limit, at: environment.time.now)
        }
        routes(Contract.inviteStaff).write { call, repositories in
            try staff.invite(email: call.input.email, as: call.input.role, by: call.principal, in: repositories)
        }
        routes(Contract.changeStaffRole).write { call, repositories in
            let (before, after) = try staff.change(
                id: call.parameter("id"), to: call.input.role, by: call.principal, in: repositories)
            call.replaced(before)
            return after
        }
        routes(Contract.removeStaff).delete { call, repositories in
            call.replaced(try staff.remove(id: call.parameter("id"), by: call.principal, in: repositories))
        }

        let keys = APIKeys(environment)
        routes(Contract.apiKeys).list("api-keys", by: \.id) { _, page, repositories in
            try repositories.apiKeys.keys(after: page.after, limit: page.limit).map(\.key)
        }
        routes(Contract.createAPIKey).write { call, repositories in
            try keys.create(
                name: call.input.name, scopes: call.input.scopes, expiresAt: call.input.expiresAt, by: call.principal,
                in: repositories)
        }
        routes(Contract.revokeAPIKey).delete { call, repositories in
            call.replaced(try keys.revoke(id: call.parameter("id"), in: repositories))
        }
    }
}
