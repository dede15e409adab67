import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

extension PageRoutes {
    /// Adds the pages of webhooks, which send the shop's events to other systems.
    func addWebhookPages() {
        let access = Contract.updateWebhook.endpoint.access
        let list = admin(.webhooks) { try await WebhookPages(admin: $0).list() }
        let one = admin(.webhooks, "/{id}") { admin in
            try await WebhookPages(admin: admin).one(admin.visit.parameter("id"))
        }
        form("/admin/webhooks", for: access, showing: list) { submission, admin in
            let made = try await submission.send(Contract.addWebhook)
            return try await WebhookPages(admin: admin).one(
                made.webhook.id, secret: made.secret, title: "Secret of the new webhook")
        }
        form("/admin/webhooks/{id}", does: Contract.updateWebhook, showing: one) { webhook in
            let text = webhook.status == .active ? "The webhook is on." : "The webhook was saved; it is off."
            return (text, AdminPath.webhook(webhook.id))
        }
        form("/admin/webhooks/{id}/secret", for: access, showing: one) { submission, admin in
            let made = try await submission.send(Contract.rotateWebhookSecret)
            return try await WebhookPages(admin: admin).one(
                made.webhook.id, secret: made.secret, title: "New secret")
        }
        form(
            "/admin/webhooks/{id}/delete", does: Contract.deleteWebhook, then: AdminSection.webhooks.path,
            telling: "The webhook was deleted.", showing: one)
        let ofDelivery = PageRoute(
            list.path,
            framed { admin in
                let id = try admin.visit.parameter("id")
                let delivery = try await admin.read { try $0.webhooks.delivery(id: id) }.orNotFound()
                return try await WebhookPages(admin: admin).one(delivery.webhookId)
            })
        form("/admin/webhook-deliveries/{id}/redeliver", does: Contract.redeliverWebhook, showing: ofDelivery) {
            ("The event will be sent again.", AdminPath.webhook($0.webhookId))
        }
    }
}

struct WebhooksValues: PageModel {
    struct Webhook: TemplateValues {
        let pageURL, url: String
        let description: String?
        let typesText: String
        let status: StatusValues
        let failingText: String?
    }

    /// The fields of a new webhook.
    struct Draft: TemplateValues {
        let url, description: String
    }

    let pager: PagerValues?
    let webhooks: [Webhook]
    let draft: Draft
    // Of the partial `admin-event-types`.
    let hasTypes: Bool
    let typesText: String
    let eventTypes: [Choice.Values]
}

struct WebhookValues: PageModel {
    struct Webhook: TemplateValues {
        let id, url, description: String
        let status: StatusValues
        let isActive: Bool
        let failingText, previousSecretText: String?
    }

    struct Delivery: TemplateValues {
        let id, type, objectId: String
        let status: StatusValues
        let createdAt, createdText: String
        let nextText: String?
        let attemptsText: String
        let attempts: [Attempt]
    }

    struct Attempt: TemplateValues {
        let atText, tookText, resultText: String
        let answer: String?
    }

    let webhook: Webhook
    let secret: SecretValues?
    let tabs: [ListTab]
    let pager: PagerValues?
    let deliveries: [Delivery]
    // Of the partial `admin-event-types`.
    let hasTypes: Bool
    let typesText: String
    let eventTypes: [Choice.Values]
}

struct WebhookPages {
    private static let eventTypes = EventType.allCases.filter { $0 != .unrecognised }
        .map { Choice($0.rawValue, $0.rawValue) }

    let admin: AdminVisit

    private var service: WebhookService { admin.site.services.webhooks }

    func list() async throws -> PageContent {
        let visit = admin.visit
        let page = try await admin.list(
            "webhooks", like: Contract.webhooks, key: \.id
        ) { [service] repositories, after, limit in
            try service.webhooks(after: after, limit: limit, in: repositories)
        }
        let types = chosenTypes([])
        let values = WebhooksValues(
            pager: ListAddress(AdminSection.webhooks.path, of: visit).pager(page), webhooks: page.items.map(row),
            draft: .init(url: visit.enteredValue("url"), description: visit.enteredValue("description")),
            hasTypes: !types.isEmpty,
            typesText: Self.text(types), eventTypes: Self.eventTypes.values(chosen: types))
        return PageContent(values, title: "Webhooks")
    }

    private func row(_ webhook: WebhookEndpoint) -> WebhooksValues.Webhook {
        WebhooksValues.Webhook(
            pageURL: AdminPath.webhook(webhook.id), url: webhook.url, description: webhook.description?.ifNotEmpty,
            typesText: webhook.types.isEmpty ? "all" : webhook.types.map(\.rawValue).joined(separator: ", "),
            status: Self.status(webhook), failingText: failing(webhook))
    }

    /// - Parameters:
    ///   - secret: a secret, which is shown only once.
    ///   - title: the title of the secret.
    func one(_ id: String, secret: String? = nil, title: String = "") async throws -> PageContent {
        let address = ListAddress(AdminPath.webhook(id), ["status"], of: admin.visit)
        let status = address["status"].flatMap(WebhookDelivery.Status.init)
        let webhook = try await admin.read { [service] in try service.webhook(id: id, in: $0) }
        // The name of each webhook's list in the API.
        let page = try await admin.list(
            "deliveries \(id)", like: Contract.webhookDeliveries, key: \.id
        ) { [service] repositories, after, limit in
            try service.deliveries(webhookId: id, status: status, after: after, limit: limit, in: repositories)
        }
        let types = chosenTypes(webhook.types)
        let values = WebhookValues(
            webhook: fields(webhook),
            secret: secret.map { secret in
                .init(
                    title: title,
                    text: "Copy it now. It will not be shown again. The receiver uses it to check signatures.",
                    value: secret)
            },
            tabs: tabs(status, of: address), pager: address.pager(page), deliveries: page.items.map(delivery),
            hasTypes: !types.isEmpty, typesText: Self.text(types), eventTypes: Self.eventTypes.values(chosen: types))
        return PageContent(values, title: "Webhook")
    }

    private func fields(_ webhook: WebhookEndpoint) -> WebhookValues.Webhook {
        let visit = admin.visit
        // Only the webhook's own form has its fields.
        let isTyped = visit.form?["url"] != nil && visit.path == AdminPath.webhook(webhook.id)
        return WebhookValues.Webhook(
            id: webhook.id, url: isTyped ? visit.enteredValue("url") : webhook.url,
            description: isTyped ? visit.enteredValue("description") : webhook.description ?? "",
            status: Self.status(webhook), isActive: webhook.status == .active,
            failingText: failing(webhook).map { "Requests have failed since \($0)." },
            previousSecretText: webhook.previousSecretEndsAt.map {
                "The previous secret is valid until \(admin.time($0))."
            })
    }

    private func failing(_ webhook: WebhookEndpoint) -> String? {
        guard let since = webhook.failingSince else { return nil }
        switch webhook.status {
        case .paused:
            return "\(admin.time(since)); no requests are sent until you switch the webhook on"
        default: return admin.time(since)
        }
    }

    private static func status(_ webhook: WebhookEndpoint) -> StatusValues {
        switch webhook.status {
        case .active: webhook.failingSince == nil ? StatusTone.good.status("Active") : StatusTone.warn.status("Failing")
        case .off: StatusTone.plain.status("Off")
        case .paused: StatusTone.bad.status("Paused")
        case .unrecognised: StatusTone.plain.status("Unknown")
        }
    }

    /// The event types that are ticked in the form, or else the stored ones.
    private func chosenTypes(_ stored: [EventType]) -> Set<String> {
        let isTyped = admin.visit.form?.fields.contains { $0.name.hasPrefix("types") } ?? false
        return isTyped ? admin.ticked("types") ?? [] : Set(stored.map(\.rawValue))
    }

    private static func text(_ types: Set<String>) -> String {
        types.isEmpty ? "all" : "\(types.count) selected"
    }

    // MARK: Deliveries

    private func tabs(_ chosen: WebhookDelivery.Status?, of address: ListAddress) -> [ListTab] {
        let tabs: [(String, WebhookDelivery.Status?)] = [
            ("All", nil), ("Pending", .pending), ("Delivered", .delivered), ("Failed", .failed),
        ]
        return tabs.map { label, status in
            ListTab(
                label: label, url: address.url(["status": status?.rawValue, "cursor": nil]),
                isCurrent: status == chosen)
        }
    }

    private func delivery(_ delivery: WebhookDelivery) -> WebhookValues.Delivery {
        let count = delivery.attempts.count
        return WebhookValues.Delivery(
            id: delivery.id, type: delivery.type.rawValue, objectId: delivery.objectId,
            status: Self.status(delivery), createdAt: admin.machineTime(delivery.createdAt),
            createdText: admin.time(delivery.createdAt),
            nextText: delivery.nextAttemptAt.map { "next attempt \(admin.time($0))" },
            attemptsText: count == 0 ? "No attempts yet" : admin.count(count, "attempt", "attempts"),
            attempts: delivery.attempts.map(attempt))
    }

    private func attempt(_ attempt: WebhookDelivery.Attempt) -> WebhookValues.Attempt {
        WebhookValues.Attempt(
            atText: admin.exactTime(attempt.at),
            tookText: admin.visit.language.number(attempt.milliseconds) + " ms",
            resultText: attempt.status.map(String.init) ?? attempt.error ?? "No response",
            answer: attempt.answer?.ifNotEmpty)
    }

    private static func status(_ delivery: WebhookDelivery) -> StatusValues {
        switch delivery.status {
        case .pending: StatusTone.warn.status("Pending")
        case .delivered: StatusTone.good.status("Delivered")
        case .failed: StatusTone.bad.status("Failed")
        case .unrecognised: StatusTone.plain.status("Unknown")
        }
    }
}
