import PouchDomain

/// The default templates, in English.
enum DefaultTemplates {
    /// The texts, keyed by the name of the file that can replace each.
    static let all: [String: String] = {
        var all = [
            "layout.txt": textLayout, "layout.html": htmlLayout, "order.txt": textOrder, "order.html": htmlOrder,
        ]
        for kind in MailKind.allCases {
            let words = words(kind)
            all[kind.rawValue + ".txt"] = words.textTemplate
            all[kind.rawValue + ".html"] = words.htmlTemplate
        }
        return all
    }()

    /// The words of one kind of e-mail, shared by its two templates.
    fileprivate struct Words {
        let subject: String
        let title: String
        /// Mustache paragraphs that work in both plain text and HTML.
        let paragraphs: [String]
        /// The parts between the paragraphs and the link.
        var blocks: [Block] = []
        /// The label of the link's button; nil for an e-mail without a link.
        var button: String?
        /// The paragraphs after the link.
        var last: [String] = []
    }

    /// A part of an e-mail that differs between plain text and HTML.
    fileprivate struct Block {
        let text: String
        let html: String

        static let order = Block(text: "{{>order.txt}}", html: "{{>order.html}}")
        static let refund = Block(text: DefaultTemplates.textRefund, html: DefaultTemplates.htmlRefund)
    }

    fileprivate static func words(_ kind: MailKind) -> Words {
        let order = "View your order"
        let afterOrder = [
            "{{#link}}Anyone with this link can view your order. Do not share it.{{/link}}"
                + "{{^link}}Sign in to your account to view your order.{{/link}}"
        ]
        switch kind {
        case .orderReceived:
            return Words(
                subject: "We have received your order {{order.number}}", title: "We have received your order",
                paragraphs: [
                    "Thank you for your order {{order.number}}, placed on {{order.time}}. Your payment is not "
                        + "confirmed yet. We will e-mail you when it is."
                ], blocks: [.order], button: order, last: afterOrder)
        case .orderPaid:
            return Words(
                subject: "Thank you for your order {{order.number}}", title: "Thank you for your order",
                paragraphs: [
                    "Your order {{order.number}}, placed on {{order.time}}, is paid. We are packing your order."
                ],
                blocks: [.order], button: order, last: afterOrder)
        case .orderSent:
            return Words(
                subject: "Your order {{order.number}} is on its way", title: "Your order is on its way",
                paragraphs: [
                    "{{^order.isByKangaroo}}We have sent your order {{order.number}}.{{/order.isByKangaroo}}"
                        + "{{#order.isByKangaroo}}A kangaroo is on its way to you with your order {{order.number}}."
                        + "{{/order.isByKangaroo}}"
                        + "{{#order.tracking}} The carrier is {{order.tracking.carrier}}, and the tracking number is "
                        + "{{order.tracking.number}}.{{/order.tracking}}"
                        + "{{#order.tracking.url}} Track your order: {{order.tracking.url}}{{/order.tracking.url}}"
                ], blocks: [.order], button: order, last: afterOrder)
        case .orderTrackingChanged:
            return Words(
                subject: "Your order {{order.number}} has a new tracking number",
                title: "A new tracking number",
                paragraphs: [
                    "The {{order.tracking.carrier}} tracking number of your order {{order.number}} is now "
                        + "{{order.tracking.number}}. If you received an earlier number, ignore it."
                        + "{{#order.tracking.url}} Track your order: {{order.tracking.url}}{{/order.tracking.url}}"
                ], blocks: [.order], button: order, last: afterOrder)
        case .orderDelivered:
            return Words(
                subject: "Your order {{order.number}} has arrived", title: "Your order has arrived",
                paragraphs: ["Your order {{order.number}} has been delivered. We hope you like it."],
                blocks: [.order], button: order, last: afterOrder)
        case .orderRefunded:
            return Words(
                subject: "We have refunded {{refund.amount}} for your order {{order.number}}",
                title: "Your refund of {{refund.amount}}",
                paragraphs: [
                    "We have refunded {{refund.amount}} for your order {{order.number}}. "
                        + "{{#refund.isWhole}}You have now been refunded in full. {{/refund.isWhole}}"
                        + "The money goes to the card you paid with. It can take a few days to appear on your "
                        + "statement."
                ], blocks: [.refund, .order], button: order, last: afterOrder)
        case .orderCancelled:
            return Words(
                subject: "Your order {{order.number}} has been cancelled", title: "Your order has been cancelled",
                paragraphs: [
                    "Your order {{order.number}}, placed on {{order.time}}, has been cancelled. "
                        + "{{#order.refundDue}}We are refunding {{order.refundDue}}.{{/order.refundDue}}"
                        + "{{^order.refundDue}}You were not charged.{{/order.refundDue}}"
                ], blocks: [.order], button: order, last: afterOrder)
        case .passwordReset:
            return Words(
                subject: "Choose a new password for {{shop.name}}", title: "Choose a new password",
                paragraphs: ["Someone, probably you, asked to reset the password of your account."],
                button: "Choose a password",
                last: [
                    "The link works once and expires on {{linkExpiry}}.",
                    "If this wasn't you, you don't need to do anything. Your password will not change.",
                ])
        case .passwordChanged:
            return Words(
                subject: "Your password at {{shop.name}} was changed", title: "Your password was changed",
                paragraphs: [
                    "The password of your account was changed on {{passwordChange.time}}"
                        + "{{#passwordChange.isReset}}, using a link we sent to this address. All sessions have ended."
                        + "{{/passwordChange.isReset}}"
                        + "{{^passwordChange.isReset}}. All other sessions have ended.{{/passwordChange.isReset}}",
                    "If this was you, you don't need to do anything. If not, request a new password now. We will send "
                        + "the link to this address.",
                ])
        case .emailVerification:
            return Words(
                subject: "Confirm your e-mail address for {{shop.name}}", title: "Confirm your e-mail address",
                paragraphs: ["Please confirm that this e-mail address is yours."],
                button: "Confirm e-mail address",
                last: [
                    "The link expires on {{linkExpiry}}.",
                    "If you have no account with us, someone may have mistyped their address. You can ignore this "
                        + "e-mail.",
                ])
        case .emailChanged:
            return Words(
                subject: "Your e-mail address at {{shop.name}} was changed", title: "Your e-mail address was changed",
                paragraphs: [
                    "The e-mail address of your account has changed. This is the last e-mail to your old address.",
                    "If this wasn't you, reply to this e-mail now.",
                ])
        case .staffInvitation:
            return Words(
                subject: "You are invited to join the staff of {{shop.name}}", title: "You are invited",
                paragraphs: [
                    "{{#invitation.invitedBy}}{{invitation.invitedBy}} has invited you{{/invitation.invitedBy}}"
                        + "{{^invitation.invitedBy}}You are invited{{/invitation.invitedBy}} to join the staff of "
                        + "{{shop.name}} as {{invitation.role}}."
                ], button: "Accept invitation",
                last: ["The link works once and expires on {{linkExpiry}}. Do not share it."])
        case .newSignIn:
            return Words(
                subject: "A new sign-in to your account with {{shop.name}}", title: "A new sign-in",
                paragraphs: [
                    "Someone signed in to your account on {{signIn.time}} from a network you had not used before: "
                        + "{{signIn.address}}{{#signIn.agent}}, using {{signIn.agent}}{{/signIn.agent}}.",
                    "If this was you, you don't need to do anything. If not, change your password now. That ends all "
                        + "other sessions.",
                ])
        case .webhookPaused:
            return Words(
                subject: "{{shop.name}}: a webhook endpoint is paused", title: "A webhook endpoint is paused",
                paragraphs: [
                    "The endpoint {{webhook.url}} has failed since {{webhook.since}}, so we have stopped sending it "
                        + "events. The last error was: {{webhook.failure}}.",
                    "Fix the endpoint, then switch it on again in the administration or with `pouch admin webhook "
                        + "change {{webhook.id}} --active`. It then receives the pending events. You can resend "
                        + "failed ones.",
                ])
        }
    }
}

// MARK: - Plain text

extension DefaultTemplates.Words {
    fileprivate var textTemplate: String {
        let blocks = ["Hello{{#name}} {{name}}{{/name}},"] + paragraphs + self.blocks.map(\.text)
        // The blank line before the link is part of its section, so an e-mail without a link has no gap.
        let link = button.map { "\n{{#link}}\n\n\($0):\n{{link}}\n{{/link}}" } ?? ""
        let content = ([blocks.joined(separator: "\n\n") + link] + last).joined(separator: "\n\n")
        return """
            Subject: \(subject)

            {{<layout.txt}}
            {{$content}}
            \(content)
            {{/content}}
            {{/layout.txt}}

            """
    }
}

extension DefaultTemplates {
    private static let textLayout = """
        {{$content}}{{/content}}
        -- 
        {{shop.name}}
        {{shop.url}}

        """

    /// The refunded units, if the refund names any, its amount, and the total of all refunds.
    fileprivate static let textRefund = """
        {{#refund.hasItems}}
        Refunded
        ----------------------------------------------------------------
        {{#refund.items}}
        {{label}}
        {{/refund.items}}
        ----------------------------------------------------------------
        {{/refund.hasItems}}
        {{refund.amountRow}}
        {{refund.totalRow}}
        """

    private static let textOrder = """
        Order {{order.number}}
        ----------------------------------------------------------------
        {{#order.items}}
        {{row}}
        {{/order.items}}
        ----------------------------------------------------------------
        {{#order.sums}}
        {{row}}
        {{/order.sums}}
        {{order.totalRow}}

        {{#order.address}}
        To:
        {{#lines}}
          {{line}}
        {{/lines}}
        {{/order.address}}
        """
}

// MARK: - HTML

extension DefaultTemplates.Words {
    fileprivate var htmlTemplate: String {
        var blocks =
            ["<p>Hello{{#name}} {{name}}{{/name}},</p>"] + paragraphs.map { "<p>\($0)</p>" } + self.blocks.map(\.html)
        if let button {
            blocks.append(
                """
                {{#link}}
                <p><a class="button" href="{{link}}" style="\(DefaultTemplates.buttonStyle)">\(button)</a></p>
                {{/link}}
                """)
        }
        blocks += last.map { "<p class=\"small\">\($0)</p>" }
        return """
            {{<layout.html}}
            {{$title}}\(title){{/title}}
            {{$content}}
            \(blocks.joined(separator: "\n"))
            {{/content}}
            {{/layout.html}}

            """
    }
}

extension DefaultTemplates {
    fileprivate static let buttonStyle =
        "display:inline-block;padding:12px 20px;border-radius:6px;background:#1f5f4a;color:#ffffff;text-decoration:none"

    // Some e-mail programs drop the style sheet, so the tags repeat the styles that the e-mail needs to be readable.
    private static let htmlLayout = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <meta name="color-scheme" content="light dark">
        <meta name="supported-color-schemes" content="light dark">
        <title>{{$title}}{{/title}}</title>
        <style>
        :root { color-scheme: light dark; }
        body { margin: 0; padding: 0; background: #f4f2ee; color: #222222; }
        .page { max-width: 560px; margin: 0 auto; padding: 24px 16px; }
        .card { background: #ffffff; border-radius: 8px; padding: 24px; }
        h1 { font-size: 22px; line-height: 1.3; margin: 0 0 16px; }
        p { margin: 0 0 16px; }
        table { width: 100%; border-collapse: collapse; margin: 0 0 16px; }
        td { padding: 6px 0; vertical-align: top; border-bottom: 1px solid #dddddd; overflow-wrap: anywhere; }
        td.amount { text-align: right; white-space: nowrap; padding-left: 16px; }
        .small, .foot { font-size: 14px; color: #666666; }
        @media (prefers-color-scheme: dark) {
        body { background: #161616; color: #eeeeee; }
        .card { background: #222222; }
        td { border-bottom-color: #444444; }
        .small, .foot { color: #aaaaaa; }
        .foot a { color: #aaaaaa; }
        }
        </style>
        </head>
        <body>
        <div class="page" style="font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:16px;line-height:1.5">
        <div class="card">
        <h1>{{$title}}{{/title}}</h1>
        {{$content}}{{/content}}
        </div>
        <p class="foot" style="padding:16px 24px"><a href="{{shop.url}}">{{shop.name}}</a></p>
        </div>
        </body>
        </html>

        """

    fileprivate static let htmlRefund = """
        <table role="presentation">
        {{#refund.hasItems}}
        <tr><td colspan="2"><strong>Refunded</strong></td></tr>
        {{/refund.hasItems}}
        {{#refund.items}}
        <tr><td colspan="2">{{quantity}} × {{name}}
        {{#options}}<br><span class="small">{{options}}</span>{{/options}}</td></tr>
        {{/refund.items}}
        <tr><td>This refund</td><td class="amount" align="right">{{refund.amount}}</td></tr>
        <tr><td>Total refunded</td><td class="amount" align="right">{{refund.total}}</td></tr>
        </table>
        """

    private static let htmlOrder = """
        <table role="presentation">
        {{#order.items}}
        <tr><td>{{quantity}} × {{name}}{{#options}}<br><span class="small">{{options}}</span>{{/options}}</td>
        <td class="amount" align="right">{{total}}</td></tr>
        {{/order.items}}
        {{#order.sums}}
        <tr><td>{{label}}</td><td class="amount" align="right">{{amount}}</td></tr>
        {{/order.sums}}
        <tr><td><strong>{{order.totalLabel}}</strong></td><td class="amount" align="right"><strong>{{order.total}}</strong></td></tr>
        </table>
        {{#order.address}}
        <p class="small">To:<br>
        {{#lines}}
        {{line}}<br>
        {{/lines}}
        </p>
        {{/order.address}}

        """
}
