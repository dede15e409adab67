import Foundation
import PouchDomain
import PouchEntities

/// Sample e-mail contents with every value of their kind, for previews.
public enum MailSamples {
    public static func content(_ kind: MailKind) -> MailContent {
        switch kind {
        case .orderReceived: MailContent(order: order(.pending), name: name, link: link(.order))
        case .orderPaid: MailContent(order: order(.paid), name: name, link: link(.order))
        case .orderSent: MailContent(order: order(.fulfilled), name: name, link: link(.order))
        case .orderTrackingChanged: MailContent(order: order(.fulfilled), name: name, link: link(.order))
        case .orderDelivered: MailContent(order: order(.delivered), name: name, link: link(.order))
        case .orderRefunded:
            // The second refund of the order, so its amount differs from the total refunded.
            MailContent(
                order: order(.partiallyRefunded),
                refund: Refund(
                    id: "ref_sample", amount: Money(6_638, .eur), createdAt: time,
                    lines: [.init(sku: "71101-69-m", quantity: 1), .init(sku: "71144-10", quantity: 1)]),
                name: name, link: link(.order))
        case .orderCancelled: MailContent(order: order(.cancelled), name: name, link: link(.order))
        case .passwordReset: MailContent(name: name, link: link(.passwordReset))
        case .passwordChanged: MailContent(name: name, passwordChange: .init(at: time, isReset: true))
        case .emailVerification: MailContent(name: name, link: link(.emailVerification))
        case .emailChanged: MailContent(name: name)
        case .staffInvitation:
            MailContent(
                name: name, link: link(.staffInvitation),
                invitation: .init(role: "manager", invitedBy: "Grace Hopper"))
        case .newSignIn:
            MailContent(name: name, signIn: .init(at: time, address: "192.0.2.17", agent: "pouch 1.2 on Linux"))
        case .webhookPaused:
            MailContent(
                name: name,
                webhook: .init(
                    id: "whk_sample", url: "https://books.example.com/pouch", failure: "status 503",
                    failingSince: time.addingTimeInterval(-3 * 24 * 3600)))
        }
    }

    // MARK: Values

    private static let name = "Ada Lovelace"
    private static let time = Date(timeIntervalSince1970: 1_764_075_840)

    private static func link(_ purpose: SignedLink.Purpose) -> SignedLink {
        SignedLink(purpose, id: "sample", expiresAt: time.addingTimeInterval(24 * 3600))
    }

    private static func order(_ status: OrderStatus) -> Order {
        func eur(_ cents: Int64) -> Money { Money(cents, .eur) }
        let isRefunded = status == .partiallyRefunded
        return Order(
            id: "ord_sample", number: "P-10001", status: status,
            lines: [
                OrderLine(
                    sku: "71101-69-m", name: "Striped cardigan", options: ["Colour": "green", "Size": "M"],
                    quantity: 1, unitPrice: eur(5_900), lineTotal: eur(5_900), discount: eur(590), tax: eur(848),
                    refundedQuantity: isRefunded ? 1 : 0),
                OrderLine(
                    sku: "71144-10", name: "Wool socks, a pair for every day of the week, in seven colours",
                    options: [:], quantity: 2, unitPrice: eur(1_475), lineTotal: eur(2_950), discount: eur(295),
                    tax: eur(424), refundedQuantity: isRefunded ? 2 : 0),
            ],
            totals: Totals(
                items: eur(8_850), discount: eur(885), shipping: eur(490), tax: eur(1_350), total: eur(8_455)),
            payment: Payment(
                id: "pay_sample", status: status == .pending ? .pending : isRefunded ? .partiallyRefunded : .captured,
                amount: eur(8_455), refunded: eur(isRefunded ? 7_965 : 0)),
            shipping: Shipping(
                methodId: "standard",
                address: Address(
                    name: name, line1: "12 St James's Square", city: "London", postalCode: "SW1Y 4JH", country: "GB"),
                price: eur(490)),
            tracking: status == .fulfilled
                ? Tracking(
                    carrier: "Royal Mail", number: "AB123456789GB", url: "https://parcels.example.com/AB123456789GB")
                : nil,
            email: "ada@example.com", createdAt: time, history: [Order.Event(status: status, at: time)])
    }
}
