import Foundation

/// The selection of entries of the audit log; nil for any value.
public struct AuditSelection: Sendable, Hashable {
    /// The id of an account or an API key, or the e-mail address that an account has now.
    public var actor: String?
    /// The name of an endpoint, such as `updateVariant`, or `AuditEntry.failedSignIn`.
    public var action: String?
    /// The path of what was changed.
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
