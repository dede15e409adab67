import Foundation
import PouchContract
import PouchEntities
import PouchNetwork
import PouchWire

// Forgotten passwords, e-mail addresses, sessions, and the data of the owners of accounts.

extension TestShop.World {
    /// A token in an e-mail of the shop, with its purpose.
    public struct MailedToken: Sendable, Hashable {
        public enum Purpose: Sendable, Hashable {
            case passwordReset
            /// Verifies an address. A new address then replaces the old one.
            case emailVerification
        }

        public let purpose: Purpose
        /// The address that the e-mail was sent to.
        public let email: String
        public let token: String
        let account: String
    }

    mutating func mail(_ purpose: MailedToken.Purpose, to email: String, of account: String) {
        let token = newId("token_", besides: mailedTokens.map(\.token))
        mailedTokens.append(MailedToken(purpose: purpose, email: email, token: token, account: account))
    }

    /// The answers that require no session.
    mutating func openSafetyAnswer(_ call: TestCall) throws(Refusal) -> NetworkResponse? {
        switch call.endpoint {
        case Contract.requestPasswordReset:
            let email = try call.body(Contract.requestPasswordReset).email
            try FieldProblem.email(email).check()
            if let profile = profiles.values.first(where: { $0.email == email.normalizedEmail }) {
                mail(.passwordReset, to: profile.email, of: profile.id)
            }
            return NetworkResponse(status: 202)
        case Contract.resetPassword:
            let wanted = try call.body(Contract.resetPassword)
            try FieldProblem.password("newPassword", wanted.newPassword).check()
            let known = try profile(of: .passwordReset, wanted.token)
            mailedTokens.removeAll { $0.account == known.id }
            passwords[known.email] = wanted.newPassword
            profiles[known.id]?.emailVerified = true
            endSessions(of: known.id)
            return NetworkResponse(status: 204)
        case Contract.verifyEmail:
            let token = try call.body(Contract.verifyEmail).token
            var known = try profile(of: .emailVerification, token)
            guard let mailed = mailedTokens.first(where: { $0.token == token }) else { throw Refusal(.linkInvalid) }
            if mailed.email != known.email {
                guard !profiles.values.contains(where: { $0.email == mailed.email }) else { throw Refusal(.emailTaken) }
                passwords[mailed.email] = passwords.removeValue(forKey: known.email)
                mailedTokens.removeAll { $0.account == known.id }
            }
            mailedTokens.removeAll { $0.token == token }
            (known.email, known.emailVerified) = (mailed.email, true)
            profiles[known.id] = known
            return NetworkResponse(status: 204)
        default: return nil
        }
    }

    private func profile(of purpose: MailedToken.Purpose, _ token: String) throws(Refusal) -> Profile {
        guard let mailed = mailedTokens.first(where: { $0.token == token && $0.purpose == purpose }),
            let profile = profiles[mailed.account]
        else { throw Refusal(.linkInvalid) }
        return profile
    }

    /// The answers about the account of the session.
    mutating func safetyAnswer(_ call: TestCall, of known: Profile) throws(Refusal) -> NetworkResponse? {
        switch call.endpoint {
        case Contract.requestVerification:
            guard known.emailVerified != true else { throw Refusal(.alreadyVerified) }
            profiles[known.id] = known
            mail(.emailVerification, to: known.email, of: known.id)
            return NetworkResponse(status: 202)
        case Contract.changeEmail:
            let wanted = try call.body(Contract.changeEmail)
            let email = wanted.email.normalizedEmail
            try FieldProblem.email(wanted.email).check()
            try check(wanted.password, of: known)
            guard email != known.email else {
                throw Refusal("email", "invalid", "The account already has this e-mail address.")
            }
            guard !profiles.values.contains(where: { $0.email == email }) else { throw Refusal(.emailTaken) }
            profiles[known.id] = known
            mailedTokens.removeAll {
                $0.account == known.id && $0.purpose == .emailVerification && $0.email != known.email
            }
            mail(.emailVerification, to: email, of: known.id)
            return NetworkResponse(status: 202)
        case Contract.accountSessions:
            return try call.page(of: activeSessions(call), call.query(PageQuery.self)) { $0.id }
        case Contract.endSession:
            let ended = sessions.first { $0.value.id == call.parameter && $0.value.owner == known.id }?.key
            guard let token = ended ?? (call.session?.id == call.parameter ? call.token : nil) else {
                throw Refusal(.notFound)
            }
            end(token)
            return NetworkResponse(status: 204)
        case Contract.exportAccount:
            return .json(
                AccountExport(
                    exportedAt: .sample, profile: known, addresses: addresses[known.id] ?? [],
                    sessions: activeSessions(call), orders: orders[known.id] ?? [], rides: rides[known.id] ?? [],
                    mails: []))
        default: return nil
        }
    }

    /// The sessions of the owner, including that of the call.
    private func activeSessions(_ call: TestCall) -> [AccountSession] {
        var found = sessions.values.filter { $0.owner == call.owner }
        if let current = call.session, !found.contains(where: { $0.id == current.id }) { found.append(current) }
        return found.map { session in
            AccountSession(
                id: session.id, createdAt: .sample, lastUsedAt: .sample, userAgent: nil, network: "127.0.0.1",
                isCurrent: session.id == call.session?.id)
        }.sorted { $0.id > $1.id }
    }
}
