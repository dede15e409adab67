import Foundation
import PouchEntities

/// Manages staff members and their roles.
///
/// A member cannot grant or revoke a role with a permission that the member does not have, so none can extend its own
/// permissions. A shop always keeps an owner: a transaction that removes one must be serializable.
public struct Staff: Sendable {
    let environment: DomainEnvironment

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
    }

    /// Changes the role of a member, starting with the next request. Ends what the member has granted and could no
    /// longer grant.
    ///
    /// - Parameter principal: nil for the machine's operator.
    /// - Throws: `DomainError.notFound`, `.invalid`, `.forbidden`, `.lastOwner`.
    public func change(
        id: String, to role: StaffRole, by principal: Principal?, in repositories: any Repositories
    ) throws -> (before: StaffMember, after: StaffMember) {
        try check(role)
        let (account, before) = try member(id, in: repositories)
        try allow(principal, [before.role, role], in: repositories)
        if role != .owner { try repositories.staff.checkOwners(without: account) }
        try repositories.staff.setRole(.staff(role), accountId: id)
        try repositories.endGrants(of: id, keeping: role.permissions, at: environment.time.now)
        return (before, try member(id, in: repositories).member)
    }

    /// Makes a member a customer and ends the member's sessions and grants, or withdraws an invitation.
    ///
    /// - Parameter principal: nil for the machine's operator.
    /// - Throws: `DomainError.notFound`, `.forbidden`, `.lastOwner`.
    public func remove(id: String, by principal: Principal?, in repositories: any Repositories) throws -> StaffMember {
        if let invitation = try repositories.staff.invitation(id: id) {
            try allow(principal, [invitation.role], in: repositories)
            try repositories.staff.deleteInvitation(id: id)
            return invitation.member
        }
        let (account, member) = try member(id, in: repositories)
        try allow(principal, [member.role], in: repositories)
        try repositories.staff.checkOwners(without: account)
        try repositories.staff.setRole(.customer, accountId: id)
        try repositories.endGrants(of: id, at: environment.time.now)
        // Only staff have a second factor, and a customer could not remove it.
        _ = try repositories.secondFactors.delete(accountId: id)
        try repositories.sessions.endAll(accountId: id, except: nil, at: environment.time.now)
        return member
    }

    // MARK: On the machine

    /// Makes an existing account a staff account, or changes its role.
    ///
    /// - Throws: `DomainError.notFound`, `.invalid`, `.lastOwner`.
    public func promote(email: String, to role: StaffRole, in repositories: any Repositories) throws -> StaffMember {
        try check(role)
        let account = try account(email: email, in: repositories)
        if role != .owner { try repositories.staff.checkOwners(without: account) }
        try repositories.staff.setRole(.staff(role), accountId: account.id)
        try repositories.endGrants(of: account.id, keeping: role.permissions, at: environment.time.now)
        return try member(account.id, in: repositories).member
    }

    /// - Throws: `DomainError.notFound`, `.lastOwner`.
    public func demote(email: String, in repositories: any Repositories) throws -> StaffMember {
        try remove(id: try account(email: email, in: repositories).id, by: nil, in: repositories)
    }

    /// Removes the second factor of an account whose owner has lost it with all recovery codes, and ends its sessions.
    ///
    /// - Throws: `DomainError.notFound`, also without a second factor.
    public func resetSecondFactor(email: String, in repositories: any Repositories) throws {
        let account = try account(email: email, in: repositories)
        guard try repositories.secondFactors.delete(accountId: account.id) else { throw DomainError.notFound }
        try repositories.sessions.endAll(accountId: account.id, except: nil, at: environment.time.now)
    }

    private func account(email: String, in repositories: any Repositories) throws -> AccountRecord {
        try repositories.accounts.account(email: AccountRules.lookupEmail(email)).orNotFound()
    }

    // MARK: Rules

    func check(_ role: StaffRole) throws {
        guard role == .unrecognised else { return }
        let roles = StaffRole.allCases.filter { $0 != .unrecognised }.map(\.rawValue).joined(separator: ", ")
        throw DomainError.invalid("role", .invalid, "The role must be one of \(roles).")
    }

    /// - Throws: `DomainError.forbidden` if one of the roles has a permission that the principal does not have.
    func allow(_ principal: Principal?, _ roles: [StaffRole], in repositories: any Repositories) throws {
        guard let principal else { return }
        let own = try principal.permissions(in: repositories)
        guard let role = roles.first(where: { !$0.permissions.isSubset(of: own) }) else { return }
        throw DomainError.forbidden(
            "The role \(role.title) has permissions that you do not have, so you cannot assign or remove it.")
    }

    private func member(
        _ id: String, in repositories: any Repositories
    ) throws -> (account: AccountRecord, member: StaffMember) {
        guard let account = try repositories.accounts.account(id: id), let role = account.role.staffRole else {
            throw DomainError.notFound
        }
        let factor = try repositories.secondFactors.factor(accountId: id)
        return (
            account,
            StaffMember(
                id: id, status: .active, role: role, email: account.email, name: account.name,
                hasSecondFactor: factor?.isEnabled == true)
        )
    }
}

public protocol StaffRepository {
    /// The role of the session's account, whether it has a second factor, and when the session was confirmed; nil for a
    /// session without an account.
    func staffStatus(sessionId: String) throws -> StaffStatus?
    /// Members and invited people, newest first, invitations before members.
    func members(after id: String?, limit: Int, at now: Date) throws -> [StaffMember]
    func countOwners() throws -> Int
    func setRole(_ role: AccountRecord.Role, accountId: String) throws

    /// Replaces an earlier invitation of the address.
    func insert(_ invitation: StaffInvitation) throws
    func invitation(id: String) throws -> StaffInvitation?
    func deleteInvitation(id: String) throws
    /// Deletes the invitations by a member.
    func deleteInvitations(by accountId: String) throws
}

extension StaffRepository {
    /// The owners, without those who are only invited.
    func owners(at now: Date) throws -> [StaffMember] {
        var (owners, last): ([StaffMember], String?) = ([], nil)
        repeat {
            let page = try members(after: last, limit: 200, at: now)
            owners += page.filter { $0.role == .owner && $0.status == .active }
            last = page.count == 200 ? page.last?.id : nil
        } while last != nil
        return owners
    }

    /// - Throws: `DomainError.lastOwner` if the account is the only owner.
    func checkOwners(without account: AccountRecord) throws {
        guard account.role == .staff(.owner), try countOwners() < 2 else { return }
        throw DomainError.lastOwner
    }
}
