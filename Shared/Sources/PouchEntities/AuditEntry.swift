import Foundation
import PouchJSON

/// A change by a staff member or an API key, an export of personal data, pages of a list of persons beyond the first
/// one, or failed sign-ins.
public struct AuditEntry: JSONModel, Hashable, Identifiable {
    /// The action of failed sign-ins, which are counted together by hour, network and account.
    public static let failedSignIn = "signIn.failed"

    public let id: String
    /// The time of the change; for entries counted together, the time of the latest.
    public let at: Date
    /// The id of the account or the API key; nil for failed sign-ins.
    public let actor: String?
    /// The current name of the account or the API key; nil if it no longer exists.
    public let actorName: String?
    /// The current e-mail address of the account; nil for an API key, and for an account that no longer exists.
    public let actorEmail: String?
    /// The name of the endpoint, as in the OpenAPI document.
    public let action: String
    /// The path of the changed object, with its id; for failed sign-ins, the id of the account, if there is one with
    /// that address.
    public let object: String?
    /// The values that were replaced or deleted, without secrets.
    public let before: JSON?
    /// The values that were sent, without secrets; for a request without JSON its query, such as the dry run of an
    /// import.
    public let values: JSON?
    /// The client's address; for failed sign-ins, its network.
    public let address: String?
    public let requestId: String?
    /// 1, unless failed sign-ins, or the pages of a list, are counted together per hour.
    public let count: Int

    public init(
        id: String, at: Date, actor: String?, actorName: String? = nil, actorEmail: String? = nil, action: String,
        object: String?, before: JSON? = nil, values: JSON? = nil, address: String? = nil, requestId: String? = nil,
        count: Int = 1
    ) {
        self.id = id
        self.at = at
        self.actor = actor
        self.actorName = actorName
        self.actorEmail = actorEmail
        self.action = action
        self.object = object
        self.before = before
        self.values = values
        self.address = address
        self.requestId = requestId
        self.count = count
    }

    public static let json = JSONObject(
        AuditEntry.init(
            id:at:actor:actorName:actorEmail:action:object:before:values:address:requestId:count:),
        .field("id", \.id), .field("at", \.at), .field("actor", \.actor), .field("actorName", \.actorName),
        .field("actorEmail", \.actorEmail), .field("action", \.action), .field("object", \.object),
        .field("before", \.before), .field("values", \.values), .field("address", \.address),
        .field("requestId", \.requestId), .field("count", \.count))
}

/// The selection of audit log entries; nil for any value.
public struct AuditSelection: Sendable, Hashable {
    /// The id of an account or an API key, or the current e-mail address of an account.
    public var actor: String?
    /// The name of an endpoint, such as `updateVariant`, or `AuditEntry.failedSignIn`.
    public var action: String?
    /// The path of the changed object.
    public var object: String?
    public var from: Date?
    public var until: Date?

    public init(
        actor: String? = nil, action: String? = nil, object: String? = nil, from: Date? = nil, until: Date? = nil
    ) {
        self.actor = actor
        self.action = action
        self.object = object
        self.from = from
        self.until = until
    }
}
