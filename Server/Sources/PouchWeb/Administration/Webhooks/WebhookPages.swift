import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

extension PageRoutes {
    /// Webhooks, which send the shop's events to other systems.
    func addWebhookPages() {
        let access = Contract.updateWebhook.endpoint.access
        let list = admin("/admin/webhooks", .manageWebhooks) { try await WebhookPages(admin: $0).list() }
        let one = admin("/admin/webhooks/{id}", .manageWebhooks) { admin in
            try await WebhookPages(admin: admin).one(admin.visit.parameter("id"))
        }
        form("/admin/webhooks", for: access, showing: list) { submission, admin in
            let made = try SecretWebhook(json: await submission.send(Contract.addWebhook))
            return try await WebhookPages(admin: admin).one(
                made.webhook.id, secret: made.secret, title: "The secret of the new webhook")
        }
        form("/admin/webhooks/{id}", for: access, showing: one) { submission in
            let webhook = try WebhookEndpoint(json: await submission.send(Contract.updateWebhook))
            submission.tell(webhook.status == .active ? "The webhook is on." : "The webhook was saved; it is off.")
            return Redirect(to: AdminPath.webhook(webhook.id))
        }
        form("/admin/webhooks/{id}/secret", for: access, showing: one) { submission, admin in
            let made = try SecretWebhook(json: await submission.send(Contract.rotateWebhookSecret))
            return try await WebhookPages(admin: admin).one(
                made.webhook.id, secret: made.secret, title: "The new secret")
        }
        form("/admin/webhooks/{id}/delete", for: access, showing: one) { submission in
            try await submission.send(Contract.deleteWebhook)
            submission.tell("The webhook was deleted.")
            return Redirect(to: AdminPath.webhooks)
        }
        let ofDelivery = PageRoute(
            list.path,
            framed { admin in
                let id = try admin.visit.parameter("id")
                let delivery = try await admin.read { try $0.webhooks.delivery(id: id) }
                guard let delivery else { throw DomainError.notFound }
                return try await WebhookPages(admin: admin).one(delivery.webhookId)
            })
        form("/admin/webhook-deliveries/{id}/redeliver", for: access, showing: ofDelivery) { submission in
            let delivery = try WebhookDelivery(json: await submission.send(Contract.redeliverWebhook))
            submission.tell("The event is sent again.")
            return Redirect(to: AdminPath.webhook(delivery.webhookId))
        }
    }
}

/// Makes the pages of webhooks.
struct WebhookPages {
    let admin: AdminVisit

    private var service: WebhookService { admin.site.services.webhooks }

    func list() async throws -> PageContent {
        let visit = admin.visit
        let page = try await admin.list("webhooks", key: \.id) { [service] repositories, after, limit in
            try service.webhooks(after: after, limit: limit, in: repositories)
        }
        var values: PageValues = [
            "hasWebhooks": !page.items.isEmpty, "pager": ListAddress(AdminPath.webhooks, of: admin.visit).pager(page),
            "webhooks": page.items.map { webhook -> PageValues in
                [
                    "pageURL": AdminPath.webhook(webhook.id), "url": webhook.url,
                    "description": shown(webhook.description),
                    "typesText": webhook.types.isEmpty
                        ? "all" : webhook.types.map(\.rawValue).joined(separator: ", "),
                    "status": Self.status(webhook), "failingText": shown(failing(webhook)),
                ]
            },
            "draft": ["url": visit.typed("url"), "description": visit.typed("description")] as PageValues,
        ]
        values.merge(eventTypes([])) { $1 }
        return PageContent("admin-webhooks", title: "Webhooks", values)
    }

    /// - Parameters:
    ///   - secret: shown this once.
    ///   - title: of the secret.
    func one(_ id: String, secret: String? = nil, title: String = "") async throws -> PageContent {
        let address = ListAddress(AdminPath.webhook(id), ["status"], of: admin.visit)
        let status = address["status"].flatMap(WebhookDelivery.Status.init)
        let webhook = try await admin.read { [service] in try service.webhook(id: id, in: $0) }
        // As the API names the list of each webhook.
        let page = try await admin.list("deliveries \(id)", key: \.id) { [service] repositories, after, limit in
            try service.deliveries(webhookId: id, status: status, after: after, limit: limit, in: repositories)
        }
        var values: PageValues = [
            "webhook": fields(webhook), "secret": false, "tabs": tabs(status, of: address),
            "hasDeliveries": !page.items.isEmpty, "pager": address.pager(page),
            "deliveries": page.items.map(delivery),
        ]
        values.merge(eventTypes(webhook.types)) { $1 }
        if let secret {
            values["secret"] =
                [
                    "title": title, "value": secret,
                    "text": "Copy it now: it is not shown again. The receiver checks the signatures with it.",
                ] as PageValues
        }
        return PageContent("admin-webhook", title: "Webhook", values)
    }

    private func fields(_ webhook: WebhookEndpoint) -> PageValues {
        let visit = admin.visit
        // Only the form that changes it has its fields.
        let isTyped = visit.form?["url"] != nil && visit.path == AdminPath.webhook(webhook.id)
        return [
            "id": webhook.id, "url": isTyped ? visit.typed("url") : webhook.url,
            "description": isTyped ? visit.typed("description") : webhook.description ?? "",
            "status": Self.status(webhook), "isActive": webhook.status == .active,
            "failingText": shown(failing(webhook).map { "The requests have failed since \($0)." }),
            "previousSecretText": shown(
                webhook.previousSecretEndsAt.map { "The previous secret is valid until \(admin.time($0))." }),
        ]
    }

    private func failing(_ webhook: WebhookEndpoint) -> String? {
        guard let since = webhook.failingSince else { return nil }
        switch webhook.status {
        case .paused:
            return "\(admin.time(since)); no requests are sent until you switch the webhook on"
        default: return admin.time(since)
        }
    }

    private static func status(_ webhook: WebhookEndpoint) -> PageValues {
        switch webhook.status {
        case .active: webhook.failingSince == nil ? StatusTone.good.status("Active") : StatusTone.warn.status("Failing")
        case .off: StatusTone.plain.status("Off")
        case .paused: StatusTone.bad.status("Paused")
        case .unrecognised: StatusTone.plain.status("Unknown")
        }
    }

    /// The values of the partial `admin-event-types`.
    private func eventTypes(_ stored: [EventType]) -> PageValues {
        let isTyped = admin.visit.form?.fields.contains { $0.name.hasPrefix("types") } ?? false
        let chosen = isTyped ? admin.ticked("types") ?? [] : Set(stored.map(\.rawValue))
        let types = EventType.allCases.filter { $0 != .unrecognised }.map { Choice($0.rawValue, $0.rawValue) }
        return [
            "hasTypes": !chosen.isEmpty, "typesText": chosen.isEmpty ? "all" : "\(chosen.count) selected",
            "eventTypes": types.values(chosen: chosen),
        ]
    }

    // MARK: Deliveries

    private func tabs(_ chosen: WebhookDelivery.Status?, of address: ListAddress) -> [PageValues] {
        let tabs: [(String, WebhookDelivery.Status?)] = [
            ("All", nil), ("Pending", .pending), ("Delivered", .delivered), ("Failed", .failed),
        ]
        return tabs.map { label, status in
            [
                "label": label, "tabURL": address.url(["status": status?.rawValue, "cursor": nil]),
                "isCurrent": status == chosen,
            ]
        }
    }

    private func delivery(_ delivery: WebhookDelivery) -> PageValues {
        let count = delivery.attempts.count
        return [
            "id": delivery.id, "type": delivery.type.rawValue, "objectId": delivery.objectId,
            "status": Self.status(delivery), "createdAt": admin.machineTime(delivery.createdAt),
            "createdText": admin.time(delivery.createdAt),
            "nextText": shown(delivery.nextAttemptAt.map { "next attempt \(admin.time($0))" }),
            "attemptsText": count == 0 ? "No attempts yet" : admin.count(count, "attempt", "attempts"),
            "attempts": delivery.attempts.map { attempt -> PageValues in
                [
                    "atText": admin.exactTime(attempt.at),
                    "tookText": admin.visit.language.number(attempt.milliseconds) + " ms",
                    "resultText": attempt.status.map(String.init) ?? attempt.error ?? "No answer",
                    "answer": shown(attempt.answer),
                ]
            },
        ]
    }

    private static func status(_ delivery: WebhookDelivery) -> PageValues {
        switch delivery.status {
        case .pending: StatusTone.warn.status("Pending")
        case .delivered: StatusTone.good.status("Delivered")
        case .failed: StatusTone.bad.status("Failed")
        case .unrecognised: StatusTone.plain.status("Unknown")
        }
    }
}
