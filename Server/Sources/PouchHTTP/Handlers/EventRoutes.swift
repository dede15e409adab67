import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

extension ShopRouter {
    /// The events of the shop, for programs that poll and for people, and the audit log.
    static func addEvents(to routes: RouteRegistrar) {
        routes(Contract.shopEvents).read { call, repositories in
            let query = call.input
            let limit = query.limit ?? Limits.defaultPageSize
            // Reads one more than the page holds, to know whether another page follows.
            let found = try repositories.events.events(
                afterEvent: query.after, in: query.order ?? .oldestFirst, type: query.type, limit: limit + 1)
            return EventPage(items: try found.prefix(limit).map { try $0.shopEvent }, hasMore: found.count > limit)
        }
        routes(Contract.auditLog).list("audit", by: \.id) { call, page, repositories in
            try repositories.audit.entries(
                repositories.resolved(call.input.selection), after: page.after, limit: page.limit)
        }
    }

    /// Endpoints of webhooks and their deliveries.
    static func addWebhooks(to routes: RouteRegistrar, _ webhooks: WebhookService) {
        routes(Contract.webhooks).list("webhooks", by: \.id) { _, page, repositories in
            try webhooks.webhooks(after: page.after, limit: page.limit, in: repositories)
        }
        routes(Contract.addWebhook).write { call, repositories in
            try webhooks.add(
                url: call.input.url, types: call.input.types ?? [], description: call.input.description,
                by: call.principal.ownerId, in: repositories)
        }
        routes(Contract.webhook).read { try webhooks.webhook(id: $0.parameter("id"), in: $1) }
        // Serializable, since the one who makes a webhook active may lose the right to it at the same moment.
        routes(Contract.updateWebhook).write { call, repositories in
            let patch = call.input
            let (before, after) = try webhooks.update(
                id: call.parameter("id"), isActive: patch.isActive, by: call.principal.ownerId, in: repositories
            ) { webhook in
                webhook.url = patch.url ?? webhook.url
                webhook.types = patch.types ?? webhook.types
                webhook.description = patch.description.applied(to: webhook.description)
            }
            call.replaced(before)
            return after
        }
        routes(Contract.deleteWebhook).delete { call, repositories in
            call.replaced(try webhooks.delete(id: call.parameter("id"), in: repositories))
        }
        routes(Contract.rotateWebhookSecret).write { call, repositories in
            try webhooks.rotate(id: call.parameter("id"), by: call.principal.ownerId, in: repositories)
        }
        routes(Contract.webhookDeliveries).read { [pages = routes.pages] call, repositories in
            let (id, query) = (try call.parameter("id"), call.input)
            return try pages.page(list: "deliveries \(id)", query.page, key: \.id) { after, limit in
                try webhooks.deliveries(
                    webhookId: id, status: query.status, after: after, limit: limit, in: repositories)
            }
        }
        routes(Contract.redeliverWebhook).write(isolation: .readCommitted) { call, repositories in
            try webhooks.redeliver(id: call.parameter("id"), in: repositories)
        }
    }
}
