import Foundation
import PouchEntities

/// Resets of a forgotten password, with a token that the account's owner receives by e-mail.
extension AccountService {
    /// The validity of a token for a new password, in seconds.
    public static let resetLifetime: TimeInterval = 30 * 60
    /// The maximum number of requests that one transaction answers.
    private static let batch = 20

    /// Records a password reset request. The work is the same whether or not the address has an account, since
    /// `answerPasswordResets` looks for the account later.
    ///
    /// Earlier tokens stay valid until one of them is used: e-mails may arrive in another order, and a stranger who
    /// keeps requesting resets does not make the owner's link worthless.
    ///
    /// - Throws: `DomainError.invalid`, `.tooManyRequests`.
    public func requestPasswordReset(email: String, network: String) async throws {
        let email = try AccountRules.reachableEmail(email)
        let request = LinkRequest(.passwordReset, to: email, network: network, environment)
        let now = environment.time.now
        let link = AccountLink(
            id: environment.ids.make(.accountLink), purpose: .passwordReset, accountId: nil, email: email,
            createdAt: now, expiresAt: now.addingTimeInterval(Self.resetLifetime))
        try await environment.store.write { repositories in
            try request.begin(in: repositories.sessions)
            try repositories.accountLinks.insert(link)
        }
    }

    /// Queues the e-mails for the requests received, and deletes requests for unknown addresses.
    public func answerPasswordResets() async throws {
        try await environment.store.writeInParts(.readCommitted, answerSomeResets)
    }

    /// - Returns: whether there may be more.
    @Sendable private func answerSomeResets(in repositories: any Repositories) throws -> Bool {
        let requests = try repositories.accountLinks.requests(limit: Self.batch)
        for request in requests {
            // All transactions lock an account before its links.
            guard let found = try repositories.accounts.account(email: request.email),
                let account = try repositories.accounts.account(id: found.id, locking: true),
                account.email == request.email
            else {
                _ = try repositories.accountLinks.remove(id: request.id)
                continue
            }
            let expiresAt = environment.time.now.addingTimeInterval(Self.resetLifetime)
            guard try repositories.accountLinks.accept(id: request.id, accountId: account.id, expiresAt: expiresAt)
            else { continue }
            try environment.mails.queue(
                .passwordReset, to: MailRecipient(account),
                MailContent(
                    name: account.name, link: SignedLink(.passwordReset, id: request.id, expiresAt: expiresAt)),
                in: repositories)
        }
        return requests.count == Self.batch
    }

    /// Sets a new password, ends all sessions of the account, and clears its failed sign-ins. The token and all others
    /// of the account become invalid. The token came by e-mail, so using it verifies the address. An e-mail notifies
    /// the owner of the change.
    ///
    /// - Throws: `DomainError.invalid`, `.linkInvalid`, `OverloadError`.
    public func resetPassword(token: String, to new: String, network: String) async throws {
        try AccountRules.problems(password: new, field: "newPassword").check()
        // Hashing is expensive, so an invalid token is refused first.
        _ = try await environment.store.read { try link(.passwordReset, from: token, in: $0) }
        let hash = try await passwords.hash(new, network: network)
        try await environment.store.write(.readCommitted) { repositories in
            let (link, accountId) = try link(.passwordReset, from: token, in: repositories)
            guard var account = try repositories.accounts.account(id: accountId, locking: true),
                account.email == link.email, try repositories.accountLinks.remove(id: link.id)
            else { throw DomainError.linkInvalid }
            let now = environment.time.now
            let isNewlyVerified = account.emailVerifiedAt == nil
            account.passwordHash = hash
            account.emailVerifiedAt = account.emailVerifiedAt ?? now
            try repositories.accounts.update(account)
            try repositories.sessions.endAll(accountId: account.id, except: nil, at: now)
            try repositories.accountLinks.removeAll(accountId: account.id, purpose: .passwordReset, except: nil)
            // A person who knew the old password may have requested another address.
            try repositories.accountLinks.removeAll(accountId: account.id, purpose: .emailVerification, except: nil)
            try SignInAttempt(email: account.email, network: network, environment).forgive(in: repositories.sessions)
            try notifyOfPasswordChange(of: account, isReset: true, in: repositories)
            if isNewlyVerified { try appendEvent(.customerUpdated, account, in: repositories) }
        }
    }
}
