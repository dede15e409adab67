import Foundation
import PouchDomain
import PouchEntities
import PouchJSON

extension ShopDatabase.Transaction {
    public var webhooks: any WebhookRepository { SQLWebhooks(connection: connection) }
}

struct SQLWebhooks: WebhookRepository {
    let connection: any SQLConnection

    func webhooks(after id: String?, limit: Int) throws -> [WebhookRecord] {
        try connection.rows(
            "SELECT \(Self.columns) FROM webhooks WHERE id > ? ORDER BY id LIMIT ?",
            [.text(id ?? ""), .integer(limit)]
        ).map(Self.record)
    }

    func webhook(id: String, locking: Bool) throws -> WebhookRecord? {
        try connection.row(id, of: "webhooks", Self.columns, locking: locking).map(Self.record)
    }

    func insert(_ webhook: WebhookRecord) throws {
        try connection.run(
            "INSERT INTO webhooks (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [.text(webhook.id)] + (try Self.values(webhook)) + [.time(webhook.createdAt)])
    }

    func update(_ webhook: WebhookRecord) throws {
        try connection.run(
            """
            UPDATE webhooks SET url = ?, types = ?, description = ?, status = ?, failing_since = ?, secrets = ?,
                added_by = ?
            WHERE id = ?
            """, try Self.values(webhook) + [.text(webhook.id)])
        // Deliveries may have been waiting for the webhook.
        if webhook.status == .active { try connection.announce(.deliveryDue) }
    }

    func switchOff(addedBy granter: String) throws {
        try connection.run("UPDATE webhooks SET status = 'off' WHERE added_by = ?", [.text(granter)])
    }

    func delete(id: String) throws {
        try connection.run("DELETE FROM webhook_deliveries WHERE webhook_id = ?", [.text(id)])
        try connection.run("DELETE FROM webhooks WHERE id = ?", [.text(id)])
    }

    private static let columns = "id, url, types, description, status, failing_since, secrets, added_by, created_at"

    private static func values(_ webhook: WebhookRecord) throws -> [SQLValue] {
        [
            .text(webhook.url), try .json(webhook.types), .optional(webhook.description),
            .text(webhook.status.rawValue), .time(webhook.failingSince), try .json(webhook.secrets),
            .optional(webhook.addedBy),
        ]
    }

    private static func record(_ row: SQLRow) throws -> WebhookRecord {
        WebhookRecord(
            id: try row.text(0), url: try row.text(1), types: try row.json(2),
            description: try row.optional(3, SQLRow.text), status: try row.value(4),
            failingSince: try row.optional(5, SQLRow.date), secrets: try row.json(6),
            addedBy: try row.optional(7, SQLRow.text), createdAt: try row.date(8))
    }

    // MARK: Deliveries

    func add(_ deliveries: [NewDelivery]) throws {
        try connection.insert(
            into: """
                webhook_deliveries (id, webhook_id, event_id, position, type, object_id, status, attempts, due_at, created_at)
                """,
            deliveries.map { delivery in
                [
                    .text(delivery.id), .text(delivery.webhookId), .text(delivery.event.id),
                    .integer(delivery.event.position), .text(delivery.event.event.typeName),
                    .text(delivery.event.event.objectId),
                    .text("pending"), .text("[]"), .time(delivery.createdAt), .time(delivery.createdAt),
                ]
            })
        if !deliveries.isEmpty { try connection.announce(.deliveryDue) }
    }

    func deliveries(
        webhookId: String, status: WebhookDelivery.Status?, after id: String?, limit: Int
    ) throws -> [WebhookDelivery] {
        let page = SQLPage(
            where: [("webhook_id", webhookId), ("status", status?.rawValue)], after: id, limit: limit)
        return try connection.rows("SELECT \(Self.deliveryColumns) FROM webhook_deliveries \(page.sql)", page.arguments)
            .map(Self.delivery)
    }

    func delivery(id: String) throws -> WebhookDelivery? {
        try connection.row("SELECT \(Self.deliveryColumns) FROM webhook_deliveries WHERE id = ?", [.text(id)])
            .map(Self.delivery)
    }

    func failedDeliveries(limit: Int) throws -> Int {
        try connection.row(
            "SELECT COUNT(*) FROM (SELECT 1 FROM webhook_deliveries WHERE status = 'failed' LIMIT ?) AS failed",
            [.integer(limit)])?.int(0) ?? 0
    }

    func restart(deliveryId: String, at: Date) throws {
        try connection.run(
            """
            UPDATE webhook_deliveries SET status = 'pending', tries = 0, due_at = ?
            WHERE id = ? AND holder IS NULL
            """, [.time(at), .text(deliveryId)])
        try connection.announce(.deliveryDue)
    }

    private static let deliveryColumns =
        "id, webhook_id, event_id, type, object_id, status, attempts, due_at, created_at"

    private static func delivery(_ row: SQLRow) throws -> WebhookDelivery {
        WebhookDelivery(
            id: try row.text(0), webhookId: try row.text(1), eventId: try row.text(2),
            type: EventType(rawValue: try row.text(3)) ?? .unrecognised, objectId: try row.text(4),
            status: try row.value(5), attempts: try row.json(6), nextAttemptAt: try row.optional(7, SQLRow.date),
            createdAt: try row.date(8))
    }

    // MARK: Sending

    /// Whether a delivery waits for an earlier one of its object.
    private static let waits = """
        EXISTS (
            SELECT 1 FROM webhook_deliveries e
            WHERE e.webhook_id = d.webhook_id AND e.object_id = d.object_id AND e.status = 'pending'
                AND e.position < d.position
        )
        """

    func nextDue(except busy: Set<String>) throws -> Date? {
        // No id is empty, and a list without a value would exclude all.
        let busy = SQLList.places([.text("")] + busy.sorted().map(SQLValue.text))
        // Each webhook's deliveries are read up to the first that need not wait.
        return try connection.date(
            """
            SELECT MIN((
                SELECT due_at FROM webhook_deliveries d
                WHERE d.webhook_id = w.id AND d.status = 'pending' AND NOT \(Self.waits)
                ORDER BY due_at, position LIMIT 1
            )) FROM webhooks w WHERE status = 'active' AND id NOT IN \(busy.sql)
            """, busy.arguments)
    }

    func lease(limits: [String: Int], limit: Int, holder: String, at now: Date, until: Date) throws -> [DueDelivery] {
        try webhooks(after: nil, limit: .max).filter { $0.status == .active }.flatMap { webhook in
            let limit = limits[webhook.id] ?? limit
            return limit > 0 ? try lease(webhook, limit: limit, holder: holder, at: now, until: until) : []
        }
    }

    private func lease(
        _ webhook: WebhookRecord, limit: Int, holder: String, at now: Date, until: Date
    ) throws -> [DueDelivery] {
        // Two servers do not lease the same delivery: the second waits for the first, or skips its rows, and finds that
        // they are no longer due.
        let leased = try connection.rows(
            """
            UPDATE webhook_deliveries SET holder = ?, due_at = ?
            WHERE due_at <= ? AND id IN (
                SELECT id FROM webhook_deliveries d
                WHERE webhook_id = ? AND status = 'pending' AND due_at <= ? AND NOT \(Self.waits)
                ORDER BY due_at, position LIMIT ?\(connection.dialect.freeRowLock)
            ) RETURNING id, position, tries, attempts
            """,
            [
                .text(holder), .time(until), .time(now), .text(webhook.id), .time(now), .integer(limit),
            ])
        guard !leased.isEmpty else { return [] }
        let found = try SQLEvents(connection: connection).events(at: leased.map { try $0.integer(1) })
        let events = Dictionary(found.map { ($0.position, $0) }, uniquingKeysWith: { first, _ in first })
        var due: [DueDelivery] = []
        for row in leased {
            guard let event = events[try row.integer(1)] else {
                try giveUp(row.text(0))
                continue
            }
            due.append(
                DueDelivery(
                    id: try row.text(0), webhook: webhook, event: event, number: try row.int(2) + 1,
                    attempts: try row.json(3)))
        }
        return due.sorted { $0.event.position < $1.event.position }
    }

    /// Ends a delivery whose event is no longer kept.
    private func giveUp(_ id: String) throws {
        try connection.run(
            "UPDATE webhook_deliveries SET status = 'failed', due_at = NULL, holder = NULL WHERE id = ?", [.text(id)])
    }

    func finish(_ results: [DeliveryResult], holder: String) throws -> Set<String> {
        // Always in the same order, so that transactions do not deadlock.
        let stored: Set<String> = try results.sorted { $0.id < $1.id }.reduce(into: []) { stored, result in
            let count = try connection.run(
                """
                UPDATE webhook_deliveries SET status = ?, tries = ?, attempts = ?, due_at = ?, holder = NULL
                WHERE id = ? AND holder = ?
                """,
                [
                    .text(result.status.rawValue), .integer(result.tries), try .json(result.attempts),
                    .time(result.dueAt), .text(result.id), .text(holder),
                ])
            if count > 0 { stored.insert(result.id) }
        }
        // The next delivery of the same object no longer has to wait.
        if !stored.isEmpty { try connection.announce(.deliveryDue) }
        return stored
    }

    func purge(before: Date, limit: Int) throws -> Bool {
        try connection.run(
            """
            DELETE FROM webhook_deliveries WHERE id IN (
                SELECT id FROM webhook_deliveries WHERE created_at < ? ORDER BY created_at LIMIT ?
            )
            """, [.time(before), .integer(limit)]) == limit
    }
}
