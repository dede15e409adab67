import Foundation
import PouchEntities
import PouchJSON

/// The occasions on which the shop sends a mail. Each has a template of its own, named like the case.
public enum MailKind: String, Sendable, CaseIterable {
    case orderReceived
    case orderPaid
    case orderSent
    /// An order on its way has got another tracking number, or its first.
    case orderTrackingChanged
    case orderDelivered
    /// A refund of the whole charge, or of a part of it.
    case orderRefunded
    case orderCancelled
    case passwordReset
    /// The password of an account was changed, with the old one or with the link of a mail.
    case passwordChanged
    case emailVerification
    /// Sent to the old address of an account, once the new one has replaced it.
    case emailChanged
    case staffInvitation
    /// A sign-in from a network that the account was not used from before.
    case newSignIn
    /// An endpoint of webhooks was paused, since it kept failing.
    case webhookPaused
}

/// The values for a template, besides the shop itself. A kind uses the parts that its template names and ignores the others.
///
///     MailContent(name: account.name, link: SignedLink(.passwordReset, id: reset.id, expiresAt: reset.expiresAt))
public struct MailContent: Sendable, Equatable {
    /// The order as it was right after the event.
    public let order: Order?
    /// The refund that the mail is about. The sum of all refunds is that of the order's payment.
    public let refund: Refund?
    /// The name of the person that the mail is for.
    public let name: String?
    /// The link that the mail is sent for. The queue stores its purpose, id and expiry; the token is made when the mail
    /// is written.
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

    /// The content without the words of people: names, the program of a sign-in, and the postal address of a buyer who
    /// has paid nothing.
    var withoutPersonalText: MailContent {
        MailContent(
            order: order.map { $0.isPaidFor ? $0 : $0.withoutShipping }, refund: refund, name: nil, link: link,
            invitation: invitation.map { Invitation(role: $0.role, invitedBy: nil) }, passwordChange: passwordChange,
            signIn: signIn.map { SignIn(at: $0.at, address: $0.address, agent: nil) }, webhook: webhook)
    }

    /// An offered place in the shop's staff.
    public struct Invitation: Sendable, Equatable {
        /// The role for people, such as "manager".
        public let role: String
        /// The name of the person who invites.
        public let invitedBy: String?

        public init(role: String, invitedBy: String?) {
            self.role = role
            self.invitedBy = invitedBy
        }
    }

    /// A change of the password, of which the account's owner is notified.
    public struct PasswordChange: Sendable, Equatable {
        public let at: Date
        /// Whether it was made with the link of a mail, and so ended all sessions. A change with the old password keeps
        /// its own.
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
        /// The program as it named itself.
        public let agent: String?

        public init(at: Date, address: String, agent: String?) {
            self.at = at
            self.address = address
            self.agent = agent
        }
    }

    /// A paused endpoint.
    public struct Webhook: Sendable, Equatable {
        public let id: String
        public let url: String
        /// The last failure, for people.
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
