import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

extension ShopRouter {
    /// The routes of events, webhooks and the audit log.
    static func events(_ routes: RouteRegistrar, _ services: ShopServices, _ pages: ListPager) {
        let events = EventHandlers(pages: pages)
        routes(Contract.shopEvents).read(events.events)
        routes(Contract.auditLog).read(events.audit)

        let webhooks = WebhookHandlers(webhooks: services.webhooks, pages: pages)
        routes(Contract.webhooks).read(webhooks.webhooks)
        routes(Contract.addWebhook).write(webhooks.add)
        routes(Contract.webhook).read(webhooks.webhook)
        // Serializable, since the one who makes a webhook active may lose the right to it at the same moment.
        routes(Contract.updateWebhook).write(webhooks.update)
        routes(Contract.deleteWebhook).delete(webhooks.delete)
        routes(Contract.rotateWebhookSecret).write(webhooks.rotateSecret)
        routes(Contract.webhookDeliveries).read(webhooks.deliveries)
        routes(Contract.redeliverWebhook).write(isolation: .readCommitted, webhooks.redeliver)
    }
}

/// The events of the shop, for programs that poll and for people, and the audit log.
struct EventHandlers {
    let pages: ListPager

    func events(_ call: Call<EventsQuery>, in repositories: any Repositories) throws -> Reply<EventPage> {
        let query = call.input
        let limit = query.limit ?? Limits.defaultPageSize
        // Reads one more than the page holds, to know whether another page follows.
        let found = try repositories.events.events(
            afterEvent: query.after, in: query.order ?? .oldestFirst, type: query.type, limit: limit + 1)
        return Reply(
            EventPage(items: try found.prefix(limit).map { try $0.shopEvent }, hasMore: found.count > limit))
    }

    func audit(_ call: Call<AuditQuery>, in repositories: any Repositories) throws -> Reply<Page<AuditEntry>> {
        let query = call.input
        let selection = try repositories.resolved(query.selection)
        return Reply(
            try pages.page(list: "audit", query.page, key: \.id) { after, limit in
                try repositories.audit.entries(selection, after: after, limit: limit)
            })
    }
}

/// Endpoints of webhooks and their deliveries.
struct WebhookHandlers {
    let webhooks: WebhookService
    let pages: ListPager

    func webhooks(_ call: Call<PageQuery>, in repositories: any Repositories) throws -> Reply<Page<WebhookEndpoint>> {
        Reply(
            try pages.page(list: "webhooks", call.input, key: \.id) { after, limit in
                try webhooks.webhooks(after: after, limit: limit, in: repositories)
            })
    }

    func add(_ call: Call<WebhookInput>, in repositories: any Repositories) throws -> Reply<SecretWebhook> {
        Reply(
            try webhooks.add(
                url: call.input.url, types: call.input.types ?? [], description: call.input.description,
                by: call.principal.ownerId, in: repositories))
    }

    func webhook(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<WebhookEndpoint> {
        Reply(try webhooks.webhook(id: call.parameter("id"), in: repositories))
    }

    func update(_ call: Call<WebhookPatch>, in repositories: any Repositories) throws -> Reply<WebhookEndpoint> {
        let patch = call.input
        let (before, after) = try webhooks.update(
            id: call.parameter("id"), isActive: patch.isActive, by: call.principal.ownerId, in: repositories
        ) { webhook in
            webhook.url = patch.url ?? webhook.url
            webhook.types = patch.types ?? webhook.types
            webhook.description = patch.description.applied(to: webhook.description)
        }
        call.replaced(before)
        return Reply(after)
    }

    func delete(_ call: Call<Void>, in repositories: any Repositories) throws {
        call.replaced(try webhooks.delete(id: call.parameter("id"), in: repositories))
    }

    func rotateSecret(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<SecretWebhook> {
        Reply(try webhooks.rotate(id: call.parameter("id"), by: call.principal.ownerId, in: repositories))
    }

    func deliveries(_ call: Call<DeliveriesQuery>, in repositories: any Repositories) throws -> Reply<
        Page<WebhookDelivery>
    > {
        let (id, query) = (try call.parameter("id"), call.input)
        return Reply(
            try pages.page(list: "deliveries \(id)", query.page, key: \.id) { after, limit in
                try webhooks.deliveries(
                    webhookId: id, status: query.status, after: after, limit: limit, in: repositories)
            })
    }

    func redeliver(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<WebhookDelivery> {
        Reply(try webhooks.redeliver(id: call.parameter("id"), in: repositories))
    }
}
