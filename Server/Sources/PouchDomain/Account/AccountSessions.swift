import Foundation
import PouchEntities

/// The sessions of an account, and the networks that it signs in from.
extension AccountService {
    /// The number of networks stored for an account; beyond it, the oldest is deleted.
    static let knownNetworks = 20

    /// The sessions that have not ended, latest first.
    ///
    /// - Parameter id: continues the list after a session.
    public func sessions(
        of principal: Principal, after id: String?, limit: Int, in repositories: any Repositories
    ) throws -> [AccountSession] {
        try repositories.sessions.active(
            accountId: principal.ownerId, at: environment.time.now, after: id, limit: limit
        ).map { session in
            AccountSession(
                id: session.id, createdAt: session.createdAt, lastUsedAt: session.lastUsedAt,
                userAgent: session.userAgent, network: session.network, isCurrent: session.id == principal.sessionId)
        }
    }

    /// Ends one session of the account, possibly the current one.
    ///
    /// - Throws: `DomainError.notFound`, also for a session of another account.
    public func endSession(id: String, of principal: Principal, in repositories: any Repositories) throws {
        guard let session = try repositories.sessions.session(id: id, locking: true), session.endedAt == nil,
            session.accountId == principal.ownerId
        else { throw DomainError.notFound }
        try repositories.sessions.end(id: id, at: environment.time.now)
    }

    /// Stores the network of a sign-in, and notifies the owner by e-mail if it is new. The first network of an account
    /// gets no e-mail.
    func note(
        _ origin: SessionOrigin, network: String, of account: AccountRecord, in repositories: any Repositories
    ) throws {
        guard let address = origin.network else { return }
        let now = environment.time.now
        // A hash, as in `SignInAttempt`.
        let key = environment.digests.sha256(Data("known network\n\(account.id)\n\(network)".utf8))
        let known = try repositories.accounts.noteNetwork(
            key, accountId: account.id, at: now, keeping: Self.knownNetworks)
        guard known == .others else { return }
        try environment.mails.queue(
            .newSignIn, to: MailRecipient(account),
            MailContent(
                name: account.name, signIn: .init(at: now, address: address, agent: origin.userAgent)),
            in: repositories)
    }

    /// Notifies the owner by e-mail of a new password, since a stranger may have set it.
    func notifyOfPasswordChange(of account: AccountRecord, isReset: Bool, in repositories: any Repositories) throws {
        try environment.mails.queue(
            .passwordChanged, to: MailRecipient(account),
            MailContent(name: account.name, passwordChange: .init(at: environment.time.now, isReset: isReset)),
            in: repositories)
    }

    /// Appends a customer event. Staff members get none.
    func appendEvent(_ type: EventType, _ account: AccountRecord, in repositories: any Repositories) throws {
        guard account.role == .customer else { return }
        // A deletion removes the data that identify the person, so its event has no profile.
        let customer = type == .customerDeleted ? nil : account.profile
        try environment.events.append(type, of: account.id, EventData(customer: customer), in: repositories)
    }
}

/// The networks that were stored for an account before a sign-in.
public enum KnownNetworks: Sendable, Equatable {
    case none
    /// The network of the sign-in is among them.
    case same
    case others
}

/// The network and the client that used a session, as the account's owner sees them.
public struct SessionOrigin: Sendable, Equatable {
    /// The maximum length of a stored user agent, in characters.
    public static let longestUserAgent = 200

    /// An IPv4 address, or an IPv6 network such as `2001:db8:0:0::/64`; nil if unknown.
    public let network: String?
    /// The user agent without control characters, which could control a terminal; nil if the client sends none.
    public let userAgent: String?

    /// - Parameters:
    ///   - network: the network, as in `NetworkAddress.network`.
    ///   - userAgent: the user agent as sent by the client.
    public init(network: String, userAgent: String?) {
        self.network = Self.text(ofNetwork: network)
        self.userAgent = userAgent.flatMap(Self.cleaned)
    }

    /// Creates an origin from its stored values.
    public init(storedNetwork: String?, userAgent: String?) {
        network = storedNetwork
        self.userAgent = userAgent
    }

    private static func text(ofNetwork network: String) -> String? {
        guard !network.isEmpty, network.utf8.count == 16, network.allSatisfy(\.isHexDigit) else {
            return network.isEmpty ? nil : network
        }
        let digits = Array(network)
        let groups = stride(from: 0, to: 16, by: 4).map { start in
            String(Int(String(digits[start..<start + 4]), radix: 16) ?? 0, radix: 16)
        }
        return groups.joined(separator: ":") + "::/64"
    }

    private static func cleaned(_ userAgent: String) -> String? {
        var text = String.UnicodeScalarView()
        for scalar in userAgent.unicodeScalars where text.count < longestUserAgent {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned,
                .nonspacingMark, .enclosingMark:
                continue
            default: text.append(scalar)
            }
        }
        let trimmed = String(text).trimmingCharacters(in: .whitespaces)
        return trimmed.isEmpty ? nil : trimmed
    }
}
