#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchJSON
    import PouchTerminal
    import PouchTerminalScreens

    struct AdminEventsCommand: ShopCommand {
        static let commandName = "events"
        static let abstract = "List the shop's events, newest first."
        static let discussion = """
            Events are available for 30 days. To read them in order, use --oldest the first time, then --after \
            with the ID of the last event that you have read.
            """

        @Option(help: .value("id", "The events after this one, evt_…, oldest first."))
        var after: String?
        @Option(help: .value("id", "The events before this one, newest first."))
        var before: String?
        @Flag(help: "The oldest available events, oldest first.")
        var oldest = false
        @Option(help: "Only events of this type, such as order.paid.")
        var type: EventType?
        @OptionGroup var size: PageSize

        func validate() throws {
            guard [after != nil, before != nil, oldest].count(where: { $0 }) <= 1 else {
                throw ValidationError("Use only one of --after, --before and --oldest.")
            }
        }

        func run(in shop: Shop) async throws {
            let order: EventOrder = after != nil || oldest ? .oldestFirst : .latestFirst
            let page = try await shop.admin.events(after: after ?? before, in: order, type: type, limit: size.limit)
            try shop.show(page) { Self.list($0.items) }
            if page.items.contains(where: { $0.type == .paymentFailed }), !shop.printsJSON {
                let text = "An order whose payment failed immediately is not stored; --json shows it."
                shop.note(StyledText(text, .dim))
            }
            if page.hasMore, let last = page.items.last, !shop.printsJSON {
                let next = order == .oldestFirst ? "--after" : "--before"
                shop.note(StyledText("There are more: use \(next) \(last.id)", .dim))
            }
        }

        private static func list(_ events: [ShopEvent]) -> [Output] {
            .list(
                events, orElse: "No matching events.",
                [
                    Field("ID", .bold, \.id), Field("TIME", \.createdAt), Field("TYPE", \.type.title),
                    Field("OBJECT", \.objectId), Field("ORDER") { $0.data.order?.number },
                ])
        }
    }

    struct AdminAuditCommand: ShopCommand {
        static let commandName = "audit"
        static let abstract = "List changes by staff and failed sign-ins, newest first."
        static let discussion = """
            With --json, each entry contains the old and new values; those of a dry run include dryRun.
            """

        @Option(
            help: .value(
                "address", "Only changes by this account or API key: its e-mail address, or its ID, acc_… or key_…"))
        var actor: String?
        @Option(help: .value("name", "Only this action, such as updateVariant or signIn.failed."))
        var action: String?
        @Option(help: .value("path", "Only changes to this path, such as /v1/admin/variants/SKU."))
        var object: String?
        @Option(help: .value("time", "Only from this time: \(Moment.form)."))
        var from: Moment?
        @Option(help: .value("time", "Only until this time; a date includes the whole day."))
        var until: Moment?
        @OptionGroup var page: PageOptions

        func validate() throws { try Moment.check(from, "--from", until, "--until") }

        func run(in shop: Shop) async throws {
            let selection = AuditSelection(
                actor: actor, action: action, object: object, from: try await shop.start(from),
                until: try await shop.end(until))
            try await page.show(in: shop, as: Self.list) { limit, cursor in
                try await shop.admin.auditLog(selection, limit: limit, cursor: cursor)
            }
        }

        private static func list(_ entries: [AuditEntry]) -> [Output] {
            .list(
                entries, orElse: "No matching entries.",
                [
                    Field("TIME", \.at), Field("WHO") { $0.actorEmail ?? $0.actorName }, Field("ID", \.actor),
                    Field("ACTION", .bold, \.action), Field("OBJECT", \.object), Field("FROM", \.address),
                    Field(.number("TIMES"), \.count), Field("VALUES") { $0.values.flatMap(text) },
                ])
        }

        /// The start of the JSON, which can be long.
        private static func text(_ values: JSON) -> String? {
            guard let json = try? values.json() else { return nil }
            let text = String(decoding: json, as: UTF8.self)
            return text.count > 80 ? text.prefix(79) + "…" : text
        }
    }
#endif
