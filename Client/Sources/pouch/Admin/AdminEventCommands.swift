#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchJSON
    import PouchTerminal
    import PouchTerminalScreens

    struct AdminEventsCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "events",
            abstract: "List the events of the shop, the latest first.",
            discussion: """
                Events are kept for 30 days. A script takes them in their order: with --oldest the first time, then with \
                --after and the ID of the last event that it has seen.
                """)

        @OptionGroup var global: GlobalOptions

        @Option(help: ArgumentHelp("The later events than this one, evt_…, in their order.", valueName: "id"))
        var after: String?
        @Option(help: ArgumentHelp("The earlier events than this one, the latest first.", valueName: "id"))
        var before: String?
        @Flag(help: "The oldest events that are kept, in their order.")
        var oldest = false
        @Option(help: "Only events of this type, such as order.paid.")
        var type: EventType?
        @OptionGroup var size: PageSize

        func validate() throws {
            guard [after != nil, before != nil, oldest].count(where: { $0 }) <= 1 else {
                throw ValidationError("Give only one of --after, --before and --oldest.")
            }
        }

        func run(in shop: Shop) async throws {
            let order: EventOrder = after != nil || oldest ? .oldestFirst : .latestFirst
            let page = try await shop.client.admin.events(
                after: after ?? before, in: order, type: type, limit: size.limit)
            try shop.show(page) { Self.list($0.items) }
            if page.items.contains(where: { $0.type == .paymentFailed }), !shop.printsJSON {
                let text = "An order whose payment failed at once is not kept: --json shows it as it was."
                shop.note(StyledText(text, .dim))
            }
            if page.hasMore, let last = page.items.last, !shop.printsJSON {
                let next = order == .oldestFirst ? "--after" : "--before"
                shop.note(StyledText("There are more: use \(next) \(last.id)", .dim))
            }
        }

        private static func list(_ events: [ShopEvent]) -> [Output] {
            .list(events, orElse: "There are no such events.", ["ID", "TIME", "TYPE", "OBJECT", "ORDER"]) { event in
                [
                    StyledText(event.id, .bold), StyledText(time: event.createdAt), StyledText(event.type.title),
                    StyledText(event.objectId), StyledText(event.data.order?.number ?? ""),
                ]
            }
        }
    }

    struct AdminAuditCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "audit",
            abstract: "List the changes by staff, and failed sign-ins, the latest first.",
            discussion: """
                With --json, each entry has the old and the new values. An import that was a dry run has dryRun among them.
                """)

        @OptionGroup var global: GlobalOptions

        @Option(
            help: ArgumentHelp(
                "Only changes by this account or API key: its e-mail address, or its ID, acc_… or key_…",
                valueName: "address"))
        var actor: String?
        @Option(help: ArgumentHelp("Only this action, such as updateVariant or signIn.failed.", valueName: "name"))
        var action: String?
        @Option(help: ArgumentHelp("Only changes of this path, such as /v1/admin/variants/SKU.", valueName: "path"))
        var object: String?
        @Option(help: ArgumentHelp("Only from this time on: \(Moment.form).", valueName: "time"))
        var from: Moment?
        @Option(help: ArgumentHelp("Only until this time; a day counts in full.", valueName: "time"))
        var until: Moment?
        @OptionGroup var page: PageOptions

        func validate() throws { try Moment.check(from, "--from", until, "--until") }

        func run(in shop: Shop) async throws {
            let selection = AuditSelection(
                actor: actor, action: action, object: object, from: try await shop.start(from),
                until: try await shop.end(until))
            try await page.show(in: shop, as: Self.list) { limit, cursor in
                try await shop.client.admin.auditLog(selection, limit: limit, cursor: cursor)
            }
        }

        private static func list(_ entries: [AuditEntry]) -> [Output] {
            .list(
                entries, orElse: "There are no such entries.",
                ["TIME", "WHO", "ID", "ACTION", "OBJECT", "FROM", .number("TIMES"), "VALUES"]
            ) { entry in
                [
                    StyledText(time: entry.at), StyledText(entry.actorEmail ?? entry.actorName ?? ""),
                    StyledText(entry.actor ?? ""), StyledText(entry.action, .bold), StyledText(entry.object ?? ""),
                    StyledText(entry.address ?? ""), StyledText("\(entry.count)"),
                    StyledText(entry.values.flatMap(text) ?? ""),
                ]
            }
        }

        /// The start of the JSON, which can be long.
        private static func text(_ values: JSON) -> String? {
            guard let json = try? values.json() else { return nil }
            let text = String(decoding: json, as: UTF8.self)
            return text.count > 80 ? text.prefix(79) + "…" : text
        }
    }
#endif
