import Foundation
import PouchEntities
import PouchJSON

/// The log of changes by staff, and of their reads of many persons' data. The entry of a change is stored in its
/// transaction.
public struct AuditLog: Sendable {
    /// The default number of days for which entries are kept.
    public static let days = 400

    private let environment: DomainEnvironment

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
    }

    /// - Parameters:
    ///   - before: the JSON of the value that was replaced or deleted.
    ///   - values: the JSON that was sent.
    public func record(
        actor: String, action: String, object: String, before: Data?, values: Data?, address: String?,
        requestId: String?, in repositories: any Repositories
    ) throws {
        try repositories.audit.insert(
            AuditEntry(
                id: environment.ids.make(.audit), at: environment.time.now, actor: actor, action: action,
                object: object, before: before.flatMap(Self.readable), values: values.flatMap(Self.readable),
                address: address, requestId: requestId))
    }

    /// Counts a failed sign-in with the others of its hour, network and account.
    ///
    /// An attacker with many networks could otherwise fill the disk. Beyond a number of rows in an hour, further
    /// failures are counted without their network and account.
    func recordFailedSignIn(accountId: String?, network: String, in repositories: any Repositories) throws {
        let now = environment.time.now
        let hour = "\(Int(now.timeIntervalSince1970 / 3600))"
        func entry(account: String?, network: String?) -> AuditEntry {
            AuditEntry(
                id: environment.ids.make(.audit), at: now, actor: nil, action: AuditEntry.failedSignIn,
                object: account, address: network)
        }
        let own = entry(account: accountId, network: network.isEmpty ? nil : network)
        let key = "\(hour) \(network) \(accountId ?? "")"
        guard try !repositories.audit.count(key: key, at: now) else { return }
        if try repositories.audit.counted(since: now.addingTimeInterval(-3600)) < Self.rowsOfFailures {
            try repositories.audit.insert(own, key: key)
        } else if try !repositories.audit.count(key: hour, at: now) {
            try repositories.audit.insert(entry(account: nil, network: nil), key: hour)
        }
    }

    /// Counts a further page of a list of persons with the others of its hour and reader.
    public func recordReading(
        actor: String, _ action: String, _ object: String, address: String?, in repositories: any Repositories
    ) throws {
        let now = environment.time.now
        let key = "\(Int(now.timeIntervalSince1970 / 3600)) \(actor) \(action)"
        guard try !repositories.audit.count(key: key, at: now) else { return }
        try repositories.audit.insert(
            AuditEntry(
                id: environment.ids.make(.audit), at: now, actor: actor, action: action, object: object,
                address: address), key: key)
    }

    private static let rowsOfFailures = 1_000
    /// The maximum size of a value's JSON in bytes; a larger one is omitted.
    private static let longest = 64 << 10

    /// The value without secrets; nil if it is not JSON or too large.
    private static func readable(_ json: Data) -> JSON? {
        guard json.count <= longest else { return nil }
        return (try? JSON(json: json))?.withoutSecrets
    }
}

extension JSON {
    /// The names of fields that contain secrets, in all requests of the contract.
    public static let secretFields: Set<String> = [
        "password", "currentPassword", "newPassword", "secret", "token", "accessToken", "refreshToken", "totp",
        "recoveryCode", "recoveryCodes", "secondFactor", "oneTimeCode",
    ]

    /// The value with a mark instead of each secret.
    public var withoutSecrets: JSON {
        switch self {
        case .object(let members):
            .object(
                members.reduce(into: [:]) { result, member in
                    let isSecret = Self.secretFields.contains(member.key) && member.value != .null
                    result[member.key] = isSecret ? "•••" : member.value.withoutSecrets
                })
        case .array(let elements): .array(elements.map(\.withoutSecrets))
        default: self
        }
    }
}

extension Repositories {
    /// The selection with the id of its actor.
    public func resolved(_ selection: AuditSelection) throws -> AuditSelection {
        var resolved = selection
        resolved.actor = try selection.actor.map { try actorId(of: $0) }
        return resolved
    }

    /// The id of an actor of the audit log.
    ///
    /// - Parameter reference: the id, or the account's current e-mail address, in any letter case.
    /// - Returns: an unknown address unchanged. It matches nothing, since no id is an address.
    private func actorId(of reference: String) throws -> String {
        guard reference.contains("@") else { return reference }
        return try accounts.account(email: AccountRules.lookupEmail(reference))?.id ?? reference
    }
}

public protocol AuditRepository {
    /// Inserts an entry without the actor's name and e-mail address, which are added when it is read.
    func insert(_ entry: AuditEntry) throws
    /// Inserts a counting entry, or increments it if another transaction has just inserted one with its key.
    func insert(_ entry: AuditEntry, key: String) throws
    /// Increments the count of an entry.
    ///
    /// - Returns: false if no entry has the key.
    func count(key: String, at: Date) throws -> Bool
    /// The number of counting entries since a time.
    func counted(since: Date) throws -> Int
    /// The entries, latest first, after the one with the id.
    func entries(_ selection: AuditSelection, after id: String?, limit: Int) throws -> [AuditEntry]
    /// Deletes entries older than a time, at most `limit`. Returns whether there may be more.
    func purge(before: Date, limit: Int) throws -> Bool
}
