import Foundation
import PouchEntities

/// An invitation to the staff, sent by e-mail. It is deleted once it is accepted.
public struct StaffInvitation: Sendable, Equatable {
    /// The time for which an invitation can be accepted, in seconds.
    public static let lifetime: TimeInterval = 7 * 24 * 3600

    public let id: String
    /// The address, normalized as in `AccountRules`.
    public let email: String
    public let role: StaffRole
    /// The inviting account.
    public let invitedBy: String
    public let createdAt: Date
    public let expiresAt: Date

    public init(id: String, email: String, role: StaffRole, invitedBy: String, createdAt: Date, expiresAt: Date) {
        self.id = id
        self.email = email
        self.role = role
        self.invitedBy = invitedBy
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    public var member: StaffMember {
        StaffMember(id: id, status: .invited, role: role, email: email, invitationExpiresAt: expiresAt)
    }
}

extension Staff {
    /// Invites a person by an e-mail with a link. If the address has an account, accepting requires the account's
    /// password as well: an account that a stranger created for the address does not become a staff account.
    ///
    /// - Throws: `DomainError.invalid`, also for a staff member; `.forbidden`.
    public func invite(
        email: String, as role: StaffRole, by principal: Principal, in repositories: any Repositories
    ) throws -> StaffMember {
        try check(role)
        try allow(principal, [role], in: repositories)
        let email = try AccountRules.checkedEmail(email)
        let account = try repositories.accounts.account(email: email)
        if let account, account.role.staffRole != nil {
            throw DomainError.invalid("email", .invalid, "\(account.name) is already a staff member.")
        }
        let now = environment.time.now
        let invitation = StaffInvitation(
            id: environment.ids.make(.invitation), email: email, role: role, invitedBy: principal.ownerId,
            createdAt: now, expiresAt: now.addingTimeInterval(StaffInvitation.lifetime))
        try repositories.staff.insert(invitation)
        try environment.mails.queue(
            .staffInvitation, to: MailRecipient(email, of: account, ownerId: account?.id),
            MailContent(
                name: account?.name,
                link: SignedLink(.staffInvitation, id: invitation.id, expiresAt: invitation.expiresAt),
                invitation: .init(
                    role: role.title, invitedBy: try repositories.accounts.account(id: principal.ownerId)?.name)),
            in: repositories)
        return invitation.member
    }
}

extension AccountService {
    /// Accepts an invitation: creates a staff account for the address, or gives its account the role.
    ///
    /// - Parameters:
    ///   - id: the invitation, from a verified link.
    ///   - name: the name of a new account.
    ///   - password: the password of a new account, or of the existing one.
    ///   - record: runs in the transaction that creates the account or changes its role, with the account's id and the
    ///     invitation.
    /// - Throws: `DomainError.linkInvalid`, `.invalid`, `.invalidCredentials`, `.tooManyAttempts`, `OverloadError`;
    ///   `.emailTaken` when an account is created for the address while this call runs.
    public func acceptInvitation(
        id: String, name: String?, password: String, network: String,
        alongside record: @escaping @Sendable (String, StaffInvitation, any Repositories) throws -> Void
    ) async throws {
        let (invitation, existing) = try await environment.store.read { repositories in
            let invitation = try repositories.validInvitation(id: id, at: environment.time.now)
            return (invitation, try repositories.accounts.account(email: invitation.email))
        }
        guard let existing else {
            var new = try await newAccount(
                name: name ?? "", email: invitation.email, mobileNumber: nil, password: password,
                role: .staff(invitation.role), network: network)
            // The link came by e-mail, so using it confirms the address.
            new.emailVerifiedAt = new.createdAt
            return try await environment.store.write { [account = new] repositories in
                let current = try repositories.validInvitation(id: id, at: environment.time.now)
                guard current.role == invitation.role else { throw TransactionConflict() }
                guard try repositories.accounts.insert(account) else { throw DomainError.emailTaken }
                try repositories.staff.deleteInvitation(id: id)
                try record(account.id, current, repositories)
            }
        }
        let attempt = SignInAttempt(email: existing.email, network: network, environment)
        try await environment.store.write { try attempt.begin(in: $0.sessions) }
        try await check(password, against: existing.passwordHash, attempt, network: network)
        try await environment.store.write { repositories in
            try attempt.succeed(in: repositories.sessions)
            let invitation = try repositories.validInvitation(id: id, at: environment.time.now)
            guard let current = try repositories.accounts.account(id: existing.id, locking: true),
                current.passwordHash == existing.passwordHash
            else { throw DomainError.invalidCredentials }
            guard current.role == .customer else { throw DomainError.linkInvalid }
            try repositories.staff.setRole(.staff(invitation.role), accountId: current.id)
            try repositories.staff.deleteInvitation(id: id)
            try record(current.id, invitation, repositories)
        }
    }
}

extension Repositories {
    /// - Throws: `DomainError.linkInvalid`.
    fileprivate func validInvitation(id: String, at now: Date) throws -> StaffInvitation {
        guard let invitation = try staff.invitation(id: id), now < invitation.expiresAt, try isCovered(invitation)
        else { throw DomainError.linkInvalid }
        return invitation
    }
}
