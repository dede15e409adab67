#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    enum AdminWebhookCommand: CommandFamily {
        static let commandName = "webhook"
        static let abstract = "Send the shop's events to other systems."
        static let discussion = """
            Each event is sent as a request that is signed according to Standard Webhooks. A failed delivery is \
            tried ten times within three days.
            """
        static let subcommands: [any NamedCommand.Type] = [
            List.self, Add.self, Change.self, Rotate.self, Remove.self, Deliveries.self, Redeliver.self,
        ]

        struct List: ShopCommand {
            static let abstract = "List the webhooks, with their state."

            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: WebhookText.list, shop.admin.webhooks)
            }
        }

        struct Add: ShopCommand {
            static let abstract = "Add a webhook and print its secret."
            static let discussion = "The secret is not shown again; `pouch admin webhook rotate` creates a new one."

            @Argument(help: "The address, https://…")
            var url: String
            @Option(
                name: .customLong("type"),
                help: .value("type", "Only these events, such as order.paid; may be repeated."))
            var types: [EventType] = []
            @Option(help: .value("text", "A note for the staff."))
            var description: String?

            func run(in shop: Shop) async throws {
                let added = try await shop.withFreshSignIn {
                    try await shop.admin.addWebhook(url: url, types: types, description: description)
                }
                try shop.show(added, as: WebhookText.secret)
            }
        }

        struct Change: EditCommand {
            static let abstract = "Change a webhook, pause it or resume it."

            @OptionGroup var webhook: WebhookArgument
            @Option(help: .value("url", "A new address."))
            var url: String?
            @Option(name: .customLong("type"), help: .value("type", "Only these events; may be repeated."))
            var types: [EventType] = []
            @Flag(help: "Send all events.")
            var allTypes = false
            @Flag(inversion: .prefixedNo, help: "Send events to this webhook.")
            var active: Bool?
            @Option(help: .value("text", "A note for the staff; empty to remove it."))
            var description: String?

            static let example = "--url"
            var namesChange: Bool {
                url != nil || !types.isEmpty || allTypes || active != nil || description != nil
            }

            var notFound: NotFound { webhook.notFound }

            func validate() throws {
                try checkChange()
                guard !allTypes || types.isEmpty else { throw ValidationError("Use --type or --all-types, not both.") }
            }

            func run(in shop: Shop) async throws {
                let change = WebhookChange(
                    url: url, types: allTypes ? [] : types.isEmpty ? nil : types, isActive: active,
                    description: description)
                let changed = try await shop.withFreshSignIn {
                    try await shop.admin.changeWebhook(id: webhook.id, change)
                }
                try shop.show(changed) { WebhookText.list([$0]) }
            }
        }

        struct Rotate: ShopCommand {
            static let abstract = "Create a new secret; for 24 hours, requests are also signed with the old one."

            @OptionGroup var webhook: WebhookArgument

            var notFound: NotFound { webhook.notFound }

            func run(in shop: Shop) async throws {
                let rotated = try await shop.withFreshSignIn {
                    try await shop.admin.rotateWebhookSecret(id: webhook.id)
                }
                try shop.show(rotated, as: WebhookText.secret)
            }
        }

        struct Remove: ShopCommand {
            static let abstract = "Remove a webhook and its deliveries."

            @OptionGroup var webhook: WebhookArgument

            var notFound: NotFound { webhook.notFound }

            func run(in shop: Shop) async throws {
                try await shop.admin.removeWebhook(id: webhook.id)
                shop.confirm(StyledText("Removed \(webhook.id)."))
            }
        }

        struct Deliveries: ShopCommand {
            static let abstract = "List the deliveries to a webhook and the responses, newest first."

            @OptionGroup var webhook: WebhookArgument
            @Option(help: "Only deliveries with this status.")
            var status: WebhookDelivery.Status?
            @OptionGroup var page: PageOptions

            var notFound: NotFound { webhook.notFound }

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: WebhookText.deliveries) { limit, cursor in
                    try await shop.admin.deliveries(webhookId: webhook.id, status: status, limit: limit, cursor: cursor)
                }
            }
        }

        struct Redeliver: ShopCommand {
            static let abstract = "Send a delivery again."

            @Argument(help: "The delivery's ID, dlv_…")
            var id: String

            var notFound: NotFound {
                NotFound("delivery", id, "`pouch admin webhook deliveries ID` lists the deliveries to a webhook.")
            }

            func run(in shop: Shop) async throws {
                let delivery = try await shop.admin.redeliver(id: id)
                try shop.show(delivery) { WebhookText.deliveries([$0]) }
            }
        }
    }

    struct WebhookArgument: ParsableArguments {
        @Argument(help: "The webhook's ID, whk_…")
        var id: String

        var notFound: NotFound { NotFound("webhook", id, "`pouch admin webhook list` lists them, with their IDs.") }
    }

    extension EventType: @retroactive ExpressibleByArgument, PrintedWord {}

    extension WebhookDelivery.Status: @retroactive ExpressibleByArgument, PrintedWord {}

    private enum WebhookText {
        static func list(_ webhooks: [WebhookEndpoint]) -> [Output] {
            .list(
                webhooks, orElse: "There are no webhooks yet.",
                [
                    Field("ID", .bold, \.id), Field("ADDRESS", \.url),
                    Field("EVENTS") { $0.types.isEmpty ? "all" : $0.types.map(\.title).joined(separator: ", ") },
                    Field("STATE") { state($0.status) }, Field("FAILING SINCE", .red, \.failingSince),
                    Field("NOTE", \.description),
                ])
        }

        static func secret(_ new: SecretWebhook) -> [Output] {
            list([new.webhook]) + [
                .blank, .line(StyledText("Secret: ", .dim) + StyledText(new.secret, .bold)),
                .line(StyledText("Store it now; it is not shown again.", .yellow)),
            ]
        }

        static func deliveries(_ deliveries: [WebhookDelivery]) -> [Output] {
            .list(
                deliveries, orElse: "There are no deliveries yet.",
                [
                    Field("ID", .bold, \.id), Field("EVENT", \.type.title), Field("OBJECT", \.objectId),
                    Field("STATE") { StyledText($0.status.title, style($0.status)) },
                    Field(.number("ATTEMPTS"), \.attempts.count),
                    Field("LAST RESPONSE") { $0.attempts.last.map(answer) },
                    Field("NEXT ATTEMPT", \.nextAttemptAt),
                ])
        }

        private static func answer(_ attempt: WebhookDelivery.Attempt) -> String {
            let answer = attempt.status.map { "\($0) after \(attempt.milliseconds) ms" } ?? attempt.error ?? ""
            return attempt.answer.map { "\(answer): \($0.prefix(60))" } ?? answer
        }

        private static func state(_ status: WebhookEndpoint.Status) -> StyledText {
            switch status {
            case .active: StyledText("active", .green)
            case .off: "off"
            case .paused: StyledText("paused", .red)
            case .unrecognised: "?"
            }
        }

        private static func style(_ status: WebhookDelivery.Status) -> Style {
            switch status {
            case .pending: .yellow
            case .delivered: .green
            case .failed: .red
            case .unrecognised: .plain
            }
        }
    }
#endif
