import Foundation
import PouchEntities

/// The verification of an account's e-mail address, and its change to another one.
extension AccountService {
    /// The validity of a token for an e-mail address, in seconds.
    public static let verificationLifetime: TimeInterval = MailQueue.sendingPeriod

    /// Sends the e-mail to the account's address again.
    ///
    /// - Throws: `DomainError.alreadyVerified`, `.tooManyRequests`.
    public func requestVerification(_ principal: Principal, network: String) async throws {
        try await environment.store.write(for: principal) { repositories in
            let account = try account(principal, locking: true, in: repositories)
            guard account.emailVerifiedAt == nil else { throw DomainError.alreadyVerified }
            try LinkRequest(
                .emailVerification, to: account.email, network: network, accountId: account.id, environment
            ).begin(in: repositories.sessions)
            try queueVerification(of: account.email, for: account, in: repositories)
        }
    }

    /// Sends an e-mail to another address, which becomes the account's once its token is confirmed. Any token of an
    /// earlier request for another address then becomes invalid.
    ///
    /// - Throws: `DomainError.invalid`, `.wrongPassword`, `.freshSignInRequired`, `.tooManyAttempts`, `.tooManyRequests`,
    ///   `.emailTaken`, `OverloadError`.
    public func changeEmail(_ principal: Principal, to email: String, password: String, network: String) async throws {
        let email = try AccountRules.checkedEmail(email)
        let hash = try await confirm(principal, password: password, network: network)
        try await environment.store.write { repositories in
            let account = try account(of: principal, confirmedBy: hash, in: repositories)
            guard email != account.email else {
                throw DomainError.invalid("email", .invalid, "The account already has this e-mail address.")
            }
            guard try repositories.accounts.account(email: email) == nil else { throw DomainError.emailTaken }
            try LinkRequest(.emailVerification, to: email, network: network, accountId: account.id, environment)
                .begin(in: repositories.sessions)
            try repositories.accountLinks.removeAll(
                accountId: account.id, purpose: .emailVerification, except: account.email)
            try queueVerification(of: email, for: account, in: repositories)
        }
    }

    /// Verifies the account's address. For the token of a change, the new address becomes the account's, an e-mail
    /// about it goes to the old address, and tokens that were sent to the old address become invalid.
    ///
    /// The token is enough without a session, since e-mail is often read on another device.
    ///
    /// - Throws: `DomainError.linkInvalid`; `.emailTaken` if another account now has the address.
    public func verifyEmail(token: String) async throws {
        try await environment.store.write(.readCommitted) { repositories in
            let (link, accountId) = try link(.emailVerification, from: token, in: repositories)
            guard var account = try repositories.accounts.account(id: accountId, locking: true),
                try repositories.accountLinks.remove(id: link.id)
            else { throw DomainError.linkInvalid }
            if link.email != account.email {
                guard try repositories.accounts.account(email: link.email) == nil else { throw DomainError.emailTaken }
                try environment.mails.queue(
                    .emailChanged, to: MailRecipient(account), MailContent(name: account.name), in: repositories)
                account.email = link.email
                for purpose in [SignedLink.Purpose.passwordReset, .emailVerification] {
                    try repositories.accountLinks.removeAll(accountId: account.id, purpose: purpose, except: nil)
                }
            }
            account.emailVerifiedAt = environment.time.now
            try repositories.accounts.update(account)
            try appendEvent(.customerUpdated, account, in: repositories)
        }
    }

    /// Queues the first e-mail to a new account, unless its address or the network has received too many. The owner can
    /// request another one later.
    func welcome(_ account: AccountRecord, network: String, in repositories: any Repositories) throws {
        let request = LinkRequest(.emailVerification, to: account.email, network: network, environment)
        guard try request.mayBegin(in: repositories.sessions) else { return }
        try queueVerification(of: account.email, for: account, in: repositories)
    }

    private func queueVerification(
        of email: String, for account: AccountRecord, in repositories: any Repositories
    ) throws {
        let now = environment.time.now
        let link = AccountLink(
            id: environment.ids.make(.accountLink), purpose: .emailVerification, accountId: account.id, email: email,
            createdAt: now, expiresAt: now.addingTimeInterval(Self.verificationLifetime))
        try repositories.accountLinks.insert(link)
        try environment.mails.queue(
            .emailVerification, to: MailRecipient(email, of: account, ownerId: account.id),
            MailContent(name: account.name, link: link.signed), in: repositories)
    }
}

extension DomainEnvironment {
    /// Checks that a customer has a verified e-mail address if the shop requires one. Guests need none.
    ///
    /// - Throws: `DomainError.emailUnverified`.
    public func checkVerifiedEmail(
        for use: VerifiedEmailUse, of principal: Principal, in repositories: any Repositories
    ) throws {
        guard shop.verifiedEmail?.contains(use) == true, !principal.isGuest,
            try repositories.accounts.account(id: principal.ownerId)?.emailVerifiedAt == nil
        else { return }
        throw DomainError.emailUnverified
    }
}
