import PouchDomain
import PouchTemplates

/// The values that the templates of e-mails can use, formatted for people.
///
/// Every text is on one line, so text from a buyer can neither imitate the shop's own text nor add a header.
struct MailValues: TemplateValues {
    struct Shop: TemplateValues {
        let name, url: String
    }

    struct Order: TemplateValues {
        struct Item: TemplateValues {
            let name, quantity, sku: String
            let options: String?
            let unitPrice, total, row: String
        }

        /// An amount between the items and the total.
        struct Sum: TemplateValues {
            let label, amount, row: String
        }

        struct Address: TemplateValues {
            struct Line: TemplateValues {
                let line: String
            }

            let lines: [Line]
        }

        struct Tracking: TemplateValues {
            let carrier, number: String
            let url: String?
        }

        let number, time: String
        /// The units of the order, or of the parcel that the e-mail is about.
        let items: [Item]
        let sums: [Sum]
        /// The total that is left after refunds.
        let total, totalLabel, totalRow: String
        let isPaid: Bool
        /// The amount that a cancellation gives back; nil for none.
        let refundDue: String?
        let address: Address?
        let tracking: Tracking?
        let isByKangaroo: Bool
    }

    struct Refund: TemplateValues {
        /// The refunded units of a line.
        struct Item: TemplateValues {
            let name, quantity, sku: String
            let options: String?
            let label: String
        }

        let amount, amountRow: String
        /// The total of all refunds of the order.
        let total, totalRow: String
        /// Whether the order has been refunded in full.
        let isWhole: Bool
        let items: [Item]
        let hasItems: Bool
    }

    struct Invitation: TemplateValues {
        let role: String
        let invitedBy: String?
    }

    struct PasswordChange: TemplateValues {
        let time: String
        let isReset: Bool
    }

    struct SignIn: TemplateValues {
        let time, address: String
        let agent: String?
    }

    struct Webhook: TemplateValues {
        let id, url, failure, since: String
    }

    let shop: Shop
    /// The name of the recipient.
    let name: String?
    let link, linkExpiry: String?
    let order: Order?
    let refund: Refund?
    let invitation: Invitation?
    let passwordChange: PasswordChange?
    let signIn: SignIn?
    let webhook: Webhook?
}

extension MailValues {
    /// The names that the templates of some kinds can use: the whole path of each value, such as `order.items.name`,
    /// and the ends of the path, which name the value inside sections.
    static func names(for kinds: [MailKind]) -> Set<String> {
        let paths = ValueNames.paths(of: MailValues.self)
        let parts = Set(MailKind.allCases.flatMap(\.parts))
        var names: Set<String> = []
        for kind in kinds {
            let missing = parts.subtracting(kind.parts)
            for path in paths {
                let isMissing = path.indices.contains { missing.contains(path[...$0].joined(separator: ".")) }
                guard !isMissing else { continue }
                for start in path.indices { names.insert(path[start...].joined(separator: ".")) }
            }
        }
        return names
    }
}

extension MailKind {
    /// The paths of the values that this kind of e-mail has, and some other kinds lack.
    fileprivate var parts: Set<String> {
        switch self {
        case .orderReceived: ["order", "linkExpiry"]
        case .orderPaid, .orderDelivered, .orderCancelled: ["order", "order.refundDue", "linkExpiry"]
        case .orderSent, .orderTrackingChanged: ["order", "order.refundDue", "order.tracking", "linkExpiry"]
        case .orderRefunded: ["order", "order.refundDue", "refund", "linkExpiry"]
        case .passwordReset, .emailVerification: ["linkExpiry"]
        case .passwordChanged: ["passwordChange"]
        case .emailChanged: []
        case .staffInvitation: ["invitation", "linkExpiry"]
        case .newSignIn: ["signIn"]
        case .webhookPaused: ["webhook"]
        }
    }
}
