import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchMail
import PouchWire

extension PageRoutes {
    /// The shop's mails: which are sent when, how they look, and which were not sent.
    func addMailPages() {
        admin("/admin/mails", .manageWebhooks) { try await MailPages(desk: $0).list() }
        admin("/admin/mails/{kind}", .manageWebhooks) { try MailPages(desk: $0).one() }
        file("/admin/mails/{kind}/page", for: .staff(.manageWebhooks)) { [site] visit in
            // The desk checks what the member may see.
            let preview = try MailPages(desk: await Desk(site, visit)).preview()
            var headers: HTTPFields = [
                .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
                // A mail has its styles in itself. It is shown in a frame of the page next to it, and can do nothing.
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

/// Makes the pages of mails.
struct MailPages {
    /// Seconds for which mails that were given up are listed.
    private static let listed: TimeInterval = 7 * 24 * 3600
    private static let standard = Result { try MailTemplates() }

    let desk: Desk

    private var settings: MailSettings? { desk.site.settings.mail }

    func list() async throws -> PageContent {
        let since = desk.site.now.addingTimeInterval(-Self.listed)
        let page = try await desk.list("unsent-mails", key: \.id) { repositories, after, limit in
            try repositories.mails.unsent(since: since, after: after, limit: limit)
        }
        let waiting = try await desk.read { try $0.mails.waiting().count }
        return PageContent(
            "admin-mails", title: "Mails",
            [
                "sourceText": sourceText,
                "waitingText": waiting == 0 ? "" : desk.count(waiting, "waits", "wait"),
                "hasMails": !page.items.isEmpty, "pager": ListAddress(AdminPath.mails, of: desk.visit).pager(page),
                "mails": page.items.map(row),
                "kinds": MailKind.allCases.map { kind -> PageValues in
                    [
                        "id": kind.rawValue, "label": kind.label, "whenText": kind.occasion,
                        "isOwn": settings?.templates.isOwn(kind) ?? false,
                    ]
                },
            ])
    }

    private var sourceText: String {
        switch settings?.destination {
        case nil: "This shop sends no mails. Name a mail server with --mail; the previews show the standard templates."
        case .smtp(let server): "Sent by \(server) from \(settings?.from.address ?? "")."
        case .folder: "Mails go into a folder of the server, not to people."
        }
    }

    private func row(_ mail: UnsentMail) -> PageValues {
        [
            "kindText": MailKind(rawValue: mail.kind)?.label ?? mail.kind,
            "createdAt": desk.machineTime(mail.createdAt), "createdText": desk.time(mail.createdAt),
            "recipient": mail.recipient,
            "status": mail.dueAt == nil ? DeskMood.bad.status("Given up") : DeskMood.warn.status("Waiting"),
            "nextText": shown(mail.dueAt.map { "try \(mail.attempts + 1) at \(desk.time($0))" }),
            "failureText": mail.failure ?? "",
        ]
    }

    // MARK: One kind

    /// - Throws: `DomainError.notFound` for an unknown kind.
    private var kind: MailKind {
        get throws {
            guard let kind = MailKind(rawValue: try desk.visit.parameter("kind")) else { throw DomainError.notFound }
            return kind
        }
    }

    func one() throws -> PageContent {
        let kind = try kind
        let message = try preview()
        let from = [message.from.name, "<\(message.from.address)>"].compactMap(\.self).joined(separator: " ")
        let isOwn = settings?.templates.isOwn(kind) ?? false
        return PageContent(
            "admin-mail", title: kind.label,
            [
                "mail": [
                    "label": kind.label, "whenText": kind.occasion, "subject": message.subject, "from": from,
                    "templateText": isOwn
                        ? "own" : "standard; write your own with pouch-server mail templates FOLDER",
                    "htmlURL": AdminPath.mailPage(kind.rawValue), "text": message.text,
                ] as PageValues
            ])
    }

    /// A mail of the kind of the path, with made-up values. Its links have no tokens.
    func preview() throws -> MailMessage {
        let kind = try kind
        let site = desk.site
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

    /// The occasion on which the shop sends it.
    fileprivate var occasion: String { texts.occasion }

    private var texts: (label: String, occasion: String) {
        switch self {
        case .orderReceived: ("Order received", "The payment is still open.")
        case .orderPaid: ("Order paid", "The order was paid.")
        case .orderSent: ("Order sent", "The order was marked as sent.")
        case .orderTrackingChanged: ("Tracking changed", "An order on its way has got another tracking number.")
        case .orderDelivered: ("Order delivered", "The order was marked as delivered.")
        case .orderRefunded: ("Order refunded", "Money goes back.")
        case .orderCancelled: ("Order cancelled", "The order was cancelled.")
        case .passwordReset: ("Password reset", "A customer forgot the password.")
        case .passwordChanged: ("Password changed", "A password was changed.")
        case .emailVerification: ("Address to verify", "A new account, or a new address.")
        case .emailChanged: ("Address changed", "To the old address.")
        case .staffInvitation: ("Invitation to the staff", "You invited someone.")
        case .newSignIn: ("New sign-in", "A sign-in from a new network.")
        case .webhookPaused: ("Webhook paused", "A webhook kept failing.")
        }
    }
}
