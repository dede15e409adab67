import Foundation
import PouchEntities
import PouchJSON

/// The kinds of e-mail that the shop sends. Each has its own template, named like the case.
public enum MailKind: String, Sendable, CaseIterable {
    case orderReceived
    case orderPaid
    case orderSent
    /// An order on its way has a new tracking number, or its first one.
    case orderTrackingChanged
    case orderDelivered
    /// A refund of all or a part of the charge.
    case orderRefunded
    case orderCancelled
    case passwordReset
    /// The password of an account was changed, with the old one or with the link in an e-mail.
    case passwordChanged
    case emailVerification
    /// Sent to the old address of an account after the new one has replaced it.
    case emailChanged
    case staffInvitation
    /// A sign-in from a network that is new for the account.
    case newSignIn
    /// A webhook was paused, since it kept failing.
    case webhookPaused
}

/// The values for a template, except the shop's own. A kind uses the parts that its template names and ignores the
/// others.
///
///     MailContent(name: account.name, link: SignedLink(.passwordReset, id: reset.id, expiresAt: reset.expiresAt))
public struct MailContent: Sendable, Equatable {
    /// The order as it was immediately after the event.
    public let order: Order?
    /// The refund that the e-mail is about. The order's payment has the total of all refunds.
    public let refund: Refund?
    /// The recipient's name.
    public let name: String?
    /// The link that the e-mail contains. The queue stores its purpose, id and expiry; the token is created when the
    /// e-mail is written.
    public let link: SignedLink?
    public let invitation: Invitation?
    public let passwordChange: PasswordChange?
    public let signIn: SignIn?
    public let webhook: Webhook?

    public init(
        order: Order? = nil, refund: Refund? = nil, name: String? = nil, link: SignedLink? = nil,
        invitation: Invitation? = nil, passwordChange: PasswordChange? = nil, signIn: SignIn? = nil,
        webhook: Webhook? = nil
    ) {
        self.order = order
        self.refund = refund
        self.name = name
        self.link = link
        self.invitation = invitation
        self.passwordChange = passwordChange
        self.signIn = signIn
        self.webhook = webhook
    }

    /// The content without text entered by people: names, the user agent of a sign-in, and the postal address of a
    /// buyer who has paid nothing.
    var withoutPersonalText: MailContent {
        MailContent(
            order: order.map { $0.isPaidFor ? $0 : $0.withoutShipping }, refund: refund, name: nil, link: link,
            invitation: invitation.map { Invitation(role: $0.role, invitedBy: nil) }, passwordChange: passwordChange,
            signIn: signIn.map { SignIn(at: $0.at, address: $0.address, agent: nil) }, webhook: webhook)
    }

    /// An invitation to the shop's staff.
    public struct Invitation: Sendable, Equatable {
        /// The name of the role, such as "manager".
        public let role: String
        /// The name of the inviting person.
        public let invitedBy: String?

        public init(role: String, invitedBy: String?) {
            self.role = role
            self.invitedBy = invitedBy
        }
    }

    /// A change of the password, of which the account's owner is notified.
    public struct PasswordChange: Sendable, Equatable {
        public let at: Date
        /// Whether it was made with the link in an e-mail, and so ended all sessions. A change with the old password
        /// keeps the current session.
        public let isReset: Bool

        public init(at: Date, isReset: Bool) {
            self.at = at
            self.isReset = isReset
        }
    }

    /// A sign-in of which the account's owner is notified.
    public struct SignIn: Sendable, Equatable {
        public let at: Date
        public let address: String
        /// The client's name for itself.
        public let agent: String?

        public init(at: Date, address: String, agent: String?) {
            self.at = at
            self.address = address
            self.agent = agent
        }
    }

    /// A paused webhook.
    public struct Webhook: Sendable, Equatable {
        public let id: String
        public let url: String
        /// A description of the last failure.
        public let failure: String
        public let failingSince: Date

        public init(id: String, url: String, failure: String, failingSince: Date) {
            self.id = id
            self.url = url
            self.failure = failure
            self.failingSince = failingSince
        }
    }
}

extension MailContent: JSONModel {
    public static let json = JSONObject(
        MailContent.init, .field("order", \.order), .field("refund", \.refund), .field("name", \.name),
        .field("link", \.link), .field("invitation", \.invitation),
        .field("passwordChange", \.passwordChange), .field("signIn", \.signIn), .field("webhook", \.webhook))
}

extension MailContent.Invitation: JSONModel {
    public static let json = JSONObject(
        MailContent.Invitation.init, .field("role", \.role), .field("invitedBy", \.invitedBy))
}

extension MailContent.PasswordChange: JSONModel {
    public static let json = JSONObject(
        MailContent.PasswordChange.init, .field("at", \.at), .field("isReset", \.isReset))
}

extension MailContent.SignIn: JSONModel {
    public static let json = JSONObject(
        MailContent.SignIn.init, .field("at", \.at), .field("address", \.address), .field("agent", \.agent))
}

extension MailContent.Webhook: JSONModel {
    public static let json = JSONObject(
        MailContent.Webhook.init, .field("id", \.id), .field("url", \.url), .field("failure", \.failure),
        .field("failingSince", \.failingSince))
}

extension Order {
    fileprivate var isPaidFor: Bool {
        payment.amount.amount > 0 && [.captured, .partiallyRefunded, .refunded].contains(payment.status)
    }

    fileprivate var withoutShipping: Order {
        var order = self
        order.change(shipping: nil, rideId: rideId, deliveryFailure: deliveryFailure)
        return order
    }
}
