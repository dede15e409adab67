import Foundation
import PouchJSON

/// A place where an account is signed in, as listed for its owner.
public struct AccountSession: JSONModel, Hashable, Identifiable {
    public let id: String
    public let createdAt: Date
    /// The time of the sign-in, or of the last exchange of its refresh token. The last request was at most the lifetime
    /// of an access token later.
    public let lastUsedAt: Date
    /// The user agent when the session was last used; at most 200 characters, without control characters. nil for a
    /// client that sends none.
    public let userAgent: String?
    /// The address from which the session was last used: an IPv4 address, or an IPv6 network such as
    /// `2001:db8:0:0::/64`. nil if unknown.
    public let network: String?
    /// Whether the list was requested in this session.
    public let isCurrent: Bool

    public init(
        id: String, createdAt: Date, lastUsedAt: Date, userAgent: String? = nil, network: String? = nil,
        isCurrent: Bool = false
    ) {
        self.id = id
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.userAgent = userAgent
        self.network = network
        self.isCurrent = isCurrent
    }

    public static let json = JSONObject(
        AccountSession.init, .field("id", \.id), .field("createdAt", \.createdAt), .field("lastUsedAt", \.lastUsedAt),
        .field("userAgent", \.userAgent), .field("network", \.network), .field("isCurrent", \.isCurrent))
}

/// All data that the shop stores about an account's owner, in one document.
public struct AccountExport: JSONModel, Hashable {
    public let exportedAt: Date
    public let profile: Profile
    public let addresses: [Address]
    /// The active sessions, latest first.
    public let sessions: [AccountSession]
    /// The orders, latest first.
    public let orders: [Order]
    /// The rides, latest first.
    public let rides: [Ride]
    /// The e-mails of the last 30 days, latest first.
    public let mails: [SentMail]
    /// For each order, how long it would name its buyer if the account were deleted now; latest first. nil from a
    /// server of an earlier version.
    public let retention: [Retention]?

    /// The time for which an order names its buyer after the account was deleted.
    public struct Retention: JSONModel, Hashable {
        /// The number of the order.
        public let number: String
        /// The end of the time; nil while the order is not sent, since the time is counted from then.
        public let until: Date?

        public init(number: String, until: Date?) {
            self.number = number
            self.until = until
        }

        public static let json = JSONObject(
            AccountExport.Retention.init, .field("number", \.number), .field("until", \.until))
    }

    public init(
        exportedAt: Date, profile: Profile, addresses: [Address], sessions: [AccountSession], orders: [Order],
        rides: [Ride], mails: [SentMail], retention: [Retention]? = nil
    ) {
        self.exportedAt = exportedAt
        self.profile = profile
        self.addresses = addresses
        self.sessions = sessions
        self.orders = orders
        self.rides = rides
        self.mails = mails
        self.retention = retention
    }

    public static let json = JSONObject(
        AccountExport.init, .field("exportedAt", \.exportedAt), .field("profile", \.profile),
        .field("addresses", \.addresses), .field("sessions", \.sessions), .field("orders", \.orders),
        .field("rides", \.rides), .field("mails", \.mails), .field("retention", \.retention))
}

/// An e-mail from the shop to an account's owner.
public struct SentMail: JSONModel, Hashable {
    /// The kind, such as `orderPaid` or `passwordReset`.
    public let kind: String
    public let recipient: String
    public let createdAt: Date
    /// nil for an e-mail that is waiting, or that could not be sent.
    public let sentAt: Date?

    public init(kind: String, recipient: String, createdAt: Date, sentAt: Date? = nil) {
        self.kind = kind
        self.recipient = recipient
        self.createdAt = createdAt
        self.sentAt = sentAt
    }

    public static let json = JSONObject(
        SentMail.init, .field("kind", \.kind), .field("recipient", \.recipient), .field("createdAt", \.createdAt),
        .field("sentAt", \.sentAt))
}
