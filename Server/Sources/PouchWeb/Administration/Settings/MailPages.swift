import Foundation
import HTTPTypes
import Hummingbird
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchMail
import PouchTemplates
import PouchWire

extension PageRoutes {
    /// Adds the pages with the shop's e-mails: when each is sent, previews, and unsent ones.
    func addMailPages() {
        admin(.mails) { try await MailPages(admin: $0).list() }
        admin(.mails, "/{kind}") { try MailPages(admin: $0).one() }
        file("/admin/mails/{kind}/page", for: .staff(.manageWebhooks)) { visit in
            // `AdminVisit` checks the member's permissions.
            let preview = try MailPages(admin: await AdminVisit(visit)).preview()
            var headers: HTTPFields = [
                .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
                // An e-mail has inline styles. The page shows it in a sandboxed frame.
                .contentSecurityPolicy:
                    "default-src 'none'; style-src 'unsafe-inline'; sandbox; base-uri 'none'; form-action 'none'; "
                    + "frame-ancestors 'self'",
            ]
            headers[.referrerPolicy] = "no-referrer"
            return Response(
                status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: preview.html)))
        }
    }
}

struct AdminMailsValues: PageModel {
    /// An e-mail that was not sent.
    struct Mail: TemplateValues {
        let kindText, createdAt, createdText, recipient: String
        let status: StatusValues
        let nextText: String?
        let failureText: String
    }

    struct Kind: TemplateValues {
        let id, label, whenText: String
        let isOwn: Bool
    }

    let sourceText, waitingText: String
    let pager: PagerValues?
    let mails: [Mail]
    let kinds: [Kind]
}

struct AdminMailValues: PageModel {
    struct Mail: TemplateValues {
        let label, whenText, subject, from, templateText, htmlURL, text: String
    }

    let mail: Mail
}

struct MailPages {
    /// The seconds for which failed e-mails are listed.
    static let listed: TimeInterval = 7 * 24 * 3600
    private static let standard = Result { try MailTemplates() }

    let admin: AdminVisit

    private var settings: MailSettings? { admin.site.settings.mail }

    func list() async throws -> PageContent {
        let since = admin.site.now.addingTimeInterval(-Self.listed)
        let page = try await admin.list("unsent-mails", like: nil, key: \.id) { repositories, after, limit in
            try repositories.mails.unsent(since: since, after: after, limit: limit)
        }
        let waiting = try await admin.read { try $0.mails.waiting().count }
        let values = AdminMailsValues(
            sourceText: sourceText,
            waitingText: waiting == 0 ? "" : admin.count(waiting, "e-mail is waiting", "e-mails are waiting"),
            pager: ListAddress(AdminSection.mails.path, of: admin.visit).pager(page), mails: page.items.map(row),
            kinds: MailKind.allCases.map { kind in
                .init(id: kind.rawValue, label: kind.label, whenText: kind.occasion, isOwn: isOwn(kind))
            })
        return PageContent(values, title: "E-mails")
    }

    private func isOwn(_ kind: MailKind) -> Bool { settings?.templates.isOwn(kind) ?? false }

    private var sourceText: String {
        switch settings?.destination {
        case nil:
            "This shop sends no e-mail. Set a mail server with --mail; the previews show the standard templates."
        case .smtp(let server): "Sent by \(server) from \(settings?.from.address ?? "")."
        case .folder: "E-mails are written to a folder on the server and are not sent."
        }
    }

    private func row(_ mail: UnsentMail) -> AdminMailsValues.Mail {
        AdminMailsValues.Mail(
            kindText: MailKind(rawValue: mail.kind)?.label ?? mail.kind, createdAt: admin.machineTime(mail.createdAt),
            createdText: admin.time(mail.createdAt), recipient: mail.recipient,
            status: mail.dueAt == nil ? StatusTone.bad.status("Not delivered") : StatusTone.warn.status("Waiting"),
            nextText: mail.dueAt.map { "attempt \(mail.attempts + 1) at \(admin.time($0))" },
            failureText: mail.failure ?? "")
    }

    // MARK: One kind

    /// - Throws: `DomainError.notFound` for an unknown kind.
    private var kind: MailKind {
        get throws {
            guard let kind = MailKind(rawValue: try admin.visit.parameter("kind")) else { throw DomainError.notFound }
            return kind
        }
    }

    func one() throws -> PageContent {
        let kind = try kind
        let message = try preview()
        let from = [message.from.name, "<\(message.from.address)>"].compactMap(\.self).joined(separator: " ")
        let mail = AdminMailValues.Mail(
            label: kind.label, whenText: kind.occasion, subject: message.subject, from: from,
            templateText: isOwn(kind)
                ? "custom" : "standard; create custom templates with pouch-server mail templates FOLDER",
            htmlURL: AdminPath.mailPage(kind.rawValue), text: message.text)
        return PageContent(AdminMailValues(mail: mail), title: kind.label)
    }

    /// An e-mail of the kind in the path, with sample values. Its links have no tokens.
    func preview() throws -> MailMessage {
        let kind = try kind
        let site = admin.site
        let settings =
            try self.settings
            ?? MailSettings(
                destination: .folder(URL(fileURLWithPath: "/")),
                from: MailAddress(address: "shop@localhost", name: site.settings.shopName) ?? .unnamedShop,
                publicURL: site.settings.publicURL, templates: Self.standard.get())
        return try MailWriter(settings, timeZone: site.shop.timeZone, token: { _ in "preview" }).message(
            QueuedMail(
                id: "mai_preview", kind: kind, recipient: "ada@example.com", ownerId: nil,
                content: MailSamples.content(kind), createdAt: site.now))
    }
}

extension MailKind {
    fileprivate var label: String { texts.label }

    /// A sentence that says when the shop sends the e-mail.
    fileprivate var occasion: String { texts.occasion }

    private var texts: (label: String, occasion: String) {
        switch self {
        case .orderReceived: ("Order received", "Sent when an order is placed and its payment is pending.")
        case .orderPaid: ("Order paid", "Sent when an order is paid.")
        case .orderSent: ("Order sent", "Sent when an order is marked as sent.")
        case .orderTrackingChanged:
            ("Tracking number changed", "Sent when the tracking number of a sent order changes.")
        case .orderDelivered: ("Order delivered", "Sent when an order is marked as delivered.")
        case .orderRefunded: ("Order refunded", "Sent when a refund is made.")
        case .orderCancelled: ("Order cancelled", "Sent when an order is cancelled.")
        case .passwordReset: ("Password reset", "Sent when a new password is requested for an account.")
        case .passwordChanged: ("Password changed", "Sent when the password of an account changes.")
        case .emailVerification:
            ("E-mail address verification", "Sent to verify the address of a new account, or a new address.")
        case .emailChanged: ("E-mail address changed", "Sent to the old address after a change of address.")
        case .staffInvitation: ("Staff invitation", "Sent when a person is invited to the staff.")
        case .newSignIn: ("New sign-in", "Sent after a sign-in from a new network.")
        case .webhookPaused: ("Webhook paused", "Sent to the owners when a webhook is paused after repeated failures.")
        }
    }
}
