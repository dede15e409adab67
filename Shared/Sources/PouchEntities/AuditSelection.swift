import Foundation

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
