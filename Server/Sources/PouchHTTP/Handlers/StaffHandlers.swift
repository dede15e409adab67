import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

extension ShopRouter {
    /// The staff, invitations and API keys.
    static func staffRoutes(_ routes: RouteRegistrar, _ services: ShopServices, pages: ListPager) {
        let staff = StaffHandlers(services, pages: pages)
        routes(Contract.acceptInvitation).serve(staff.accept)
        routes(Contract.staff).read(staff.members)
        routes(Contract.inviteStaff).write(staff.invite)
        routes(Contract.changeStaffRole).write(staff.changeRole)
        routes(Contract.removeStaff).delete(staff.remove)
        routes(Contract.apiKeys).read(staff.keys)
        routes(Contract.createAPIKey).write(staff.createKey)
        routes(Contract.revokeAPIKey).delete(staff.revokeKey)
    }
}

/// Staff members and API keys.
struct StaffHandlers {
    private let environment: DomainEnvironment
    private let accounts: AccountService
    private let pages: ListPager
    private let staff: Staff
    private let apiKeys: APIKeys
    private let signer: LinkSigner

    init(_ services: ShopServices, pages: ListPager) {
        environment = services.environment
        accounts = services.accounts
        self.pages = pages
        staff = Staff(environment)
        apiKeys = APIKeys(environment)
        signer = LinkSigner(keyRing: services.keyRing, digests: environment.digests)
    }

    func accept(_ call: OpenCall<AcceptInvitationRequest>) async throws -> Response {
        let link = try await environment.store.read { [signer, now = environment.time.now] repositories in
            do {
                return try signer.link(.staffInvitation, from: call.input.token, at: now, in: repositories)
            } catch is SignedLinkError {
                throw DomainError.linkInvalid
            }
        }
        try await accounts.acceptInvitation(
            id: link.id, name: call.input.name, password: call.input.password, network: call.context.network)
        return .noContent
    }

    // MARK: Members

    func members(_ call: Call<PageQuery>, in repositories: any Repositories) throws -> Reply<Page<StaffMember>> {
        Reply(
            try pages.page(list: "staff", call.input, key: \.id) { after, limit in
                try repositories.staff.members(after: after, limit: limit, at: environment.time.now)
            })
    }

    func invite(_ call: Call<StaffInvitationRequest>, in repositories: any Repositories) throws -> Reply<StaffMember> {
        Reply(try staff.invite(email: call.input.email, as: call.input.role, by: call.principal, in: repositories))
    }

    func changeRole(_ call: Call<StaffRoleRequest>, in repositories: any Repositories) throws -> Reply<StaffMember> {
        let (before, after) = try staff.change(
            id: call.parameter("id"), to: call.input.role, by: call.principal, in: repositories)
        call.replaced(before)
        return Reply(after)
    }

    func remove(_ call: Call<Void>, in repositories: any Repositories) throws {
        call.replaced(try staff.remove(id: call.parameter("id"), by: call.principal, in: repositories))
    }

    // MARK: API keys

    func keys(_ call: Call<PageQuery>, in repositories: any Repositories) throws -> Reply<Page<APIKey>> {
        Reply(
            try pages.page(list: "api-keys", call.input, key: \.id) { after, limit in
                try repositories.apiKeys.keys(after: after, limit: limit).map(\.key)
            })
    }

    func createKey(_ call: Call<APIKeyRequest>, in repositories: any Repositories) throws -> Reply<NewAPIKey> {
        Reply(
            try apiKeys.create(
                name: call.input.name, scopes: call.input.scopes, expiresAt: call.input.expiresAt, by: call.principal,
                in: repositories))
    }

    func revokeKey(_ call: Call<Void>, in repositories: any Repositories) throws {
        call.replaced(try apiKeys.revoke(id: call.parameter("id"), in: repositories))
    }
}
