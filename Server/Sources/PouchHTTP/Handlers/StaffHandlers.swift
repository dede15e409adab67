import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

extension ShopRouter {
    /// The staff, invitations and API keys.
    static func staffRoutes(_ routes: RouteRegistrar, _ services: ShopServices, pages: ListPager) {
        let staff = StaffHandlers(services, pages: pages)
        routes("POST /v1/staff-invitations/acceptance", .anyone, Contract.acceptInvitation).serve(staff.accept)
        routes("GET /v1/admin/staff", .staff(.manageStaff), Contract.staff).read(staff.members)
        routes("POST /v1/admin/staff", .staff(.manageStaff), Contract.inviteStaff).write(staff.invite)
        routes("PATCH /v1/admin/staff/{id}", .staff(.manageStaff), Contract.changeStaffRole).write(staff.changeRole)
        routes("DELETE /v1/admin/staff/{id}", .staff(.manageStaff), Contract.removeStaff).delete(staff.remove)
        routes("GET /v1/admin/api-keys", .staff(.manageStaff), Contract.apiKeys).read(staff.keys)
        routes("POST /v1/admin/api-keys", .staff(.manageStaff), Contract.createAPIKey).write(staff.createKey)
        routes("DELETE /v1/admin/api-keys/{id}", .staff(.manageStaff), Contract.revokeAPIKey).delete(staff.revokeKey)
    }
}

/// The members of the staff, and API keys.
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
                return try signer.link(.staffInvitation, from: call.body.token, at: now, in: repositories)
            } catch is SignedLinkError {
                throw DomainError.linkInvalid
            }
        }
        try await accounts.acceptInvitation(
            id: link.id, name: call.body.name, password: call.body.password, network: call.context.network)
        return .noContent
    }

    // MARK: Members

    func members(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<Page<StaffMember>> {
        Reply(
            try pages.page(list: "staff", call.query(PageQuery.self), key: \.id) { after, limit in
                try repositories.staff.members(after: after, limit: limit, at: environment.time.now)
            })
    }

    func invite(
        _ call: Call<StaffInvitationRequest>, in repositories: any Repositories
    ) throws -> Reply<StaffMember> {
        Reply(try staff.invite(email: call.body.email, as: call.body.role, by: call.principal, in: repositories))
    }

    func changeRole(_ call: Call<StaffRoleRequest>, in repositories: any Repositories) throws -> Reply<StaffMember> {
        let (before, after) = try staff.change(
            id: call.parameter("id"), to: call.body.role, by: call.principal, in: repositories)
        call.replaced(before)
        return Reply(after)
    }

    func remove(_ call: Call<Void>, in repositories: any Repositories) throws {
        call.replaced(try staff.remove(id: call.parameter("id"), by: call.principal, in: repositories))
    }

    // MARK: API keys

    func keys(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<Page<APIKey>> {
        Reply(
            try pages.page(list: "api-keys", call.query(PageQuery.self), key: \.id) { after, limit in
                try repositories.apiKeys.keys(after: after, limit: limit).map(\.key)
            })
    }

    func createKey(_ call: Call<APIKeyRequest>, in repositories: any Repositories) throws -> Reply<NewAPIKey> {
        Reply(
            try apiKeys.create(
                name: call.body.name, scopes: call.body.scopes, expiresAt: call.body.expiresAt, by: call.principal,
                in: repositories))
    }

    func revokeKey(_ call: Call<Void>, in repositories: any Repositories) throws {
        call.replaced(try apiKeys.revoke(id: call.parameter("id"), in: repositories))
    }
}
