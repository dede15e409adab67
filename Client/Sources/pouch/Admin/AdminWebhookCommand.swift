#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    struct AdminWebhookCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "webhook",
            abstract: "Send the shop's events to other systems.",
            discussion: """
                Each event is sent as a request that is signed according to Standard Webhooks. A failed delivery is \
                tried ten times within three days.
                """,
            subcommands: [
                List.self, Add.self, Change.self, Rotate.self, Remove.self, Deliveries.self, Redeliver.self,
            ],
            defaultSubcommand: List.self
        )

        @OptionGroup var global: GlobalOptions

        struct List: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "List the webhooks, with their state.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: WebhookText.list) { limit, cursor in
                    try await shop.client.admin.webhooks(limit: limit, cursor: cursor)
                }
            }
        }

        struct Add: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Add a webhook and print its secret.",
                discussion: "The secret is not shown again; `pouch admin webhook rotate` creates a new one.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The address, https://…")
            var url: String
            @Option(
                name: .customLong("type"),
                help: ArgumentHelp("Only these events, such as order.paid; may be repeated.", valueName: "type"))
            var types: [EventType] = []
            @Option(help: ArgumentHelp("A note for the staff.", valueName: "text"))
            var description: String?

            func run(in shop: Shop) async throws {
                let added = try await shop.withFreshSignIn {
                    try await shop.client.admin.addWebhook(url: url, types: types, description: description)
                }
                try shop.show(added, as: WebhookText.secret)
            }
        }

        struct Change: EditCommand {
            static let configuration = CommandConfiguration(
                abstract: "Change a webhook, pause it or resume it.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The webhook's ID, whk_…")
            var id: String
            @Option(help: ArgumentHelp("A new address.", valueName: "url"))
            var url: String?
            @Option(
                name: .customLong("type"), help: ArgumentHelp("Only these events; may be repeated.", valueName: "type"))
            var types: [EventType] = []
            @Flag(help: "Send all events.")
            var allTypes = false
            @Flag(inversion: .prefixedNo, help: "Send events to this webhook.")
            var active: Bool?
            @Option(help: ArgumentHelp("A note for the staff; empty to remove it.", valueName: "text"))
            var description: String?

            static let example = "--url"
            var namesChange: Bool {
                url != nil || !types.isEmpty || allTypes || active != nil || description != nil
            }

            var notFound: NotFound { .webhook(id) }

            func validate() throws {
                try checkChange()
                guard !allTypes || types.isEmpty else { throw ValidationError("Use --type or --all-types, not both.") }
            }

            func run(in shop: Shop) async throws {
                let change = WebhookChange(
                    url: url, types: allTypes ? [] : types.isEmpty ? nil : types, isActive: active,
                    description: description)
                let changed = try await shop.withFreshSignIn {
                    try await shop.client.admin.changeWebhook(id: id, change)
                }
                try shop.show(changed) { WebhookText.list([$0]) }
            }
        }

        struct Rotate: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Create a new secret; for 24 hours, requests are also signed with the old one.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The webhook's ID, whk_…")
            var id: String

            var notFound: NotFound { .webhook(id) }

            func run(in shop: Shop) async throws {
                let rotated = try await shop.withFreshSignIn {
                    try await shop.client.admin.rotateWebhookSecret(id: id)
                }
                try shop.show(rotated, as: WebhookText.secret)
            }
        }

        struct Remove: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Remove a webhook and its deliveries.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The webhook's ID, whk_…")
            var id: String

            var notFound: NotFound { .webhook(id) }

            func run(in shop: Shop) async throws {
                try await shop.client.admin.removeWebhook(id: id)
                shop.confirm(StyledText("Removed \(id)."))
            }
        }

        struct Deliveries: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "List the deliveries to a webhook and the responses, newest first.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The webhook's ID, whk_…")
            var id: String
            @Option(help: "Only deliveries with this status.")
            var status: WebhookDelivery.Status?
            @OptionGroup var page: PageOptions

            var notFound: NotFound { .webhook(id) }

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: WebhookText.deliveries) { limit, cursor in
                    try await shop.client.admin.deliveries(
                        webhookId: id, status: status, limit: limit, cursor: cursor)
                }
            }
        }

        struct Redeliver: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Send a delivery again.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The delivery's ID, dlv_…")
            var id: String

            var notFound: NotFound { .delivery(id) }

            func run(in shop: Shop) async throws {
                let delivery = try await shop.client.admin.redeliver(id: id)
                try shop.show(delivery) { WebhookText.deliveries([$0]) }
            }
        }
    }

    extension EventType: @retroactive ExpressibleByArgument, PrintedWord {}

    extension WebhookDelivery.Status: @retroactive ExpressibleByArgument, PrintedWord {}

    private enum WebhookText {
        static func list(_ webhooks: [WebhookEndpoint]) -> [Output] {
            .list(
                webhooks, orElse: "There are no webhooks yet.",
                ["ID", "ADDRESS", "EVENTS", "STATE", "FAILING SINCE", "NOTE"]
            ) { webhook in
                [
                    StyledText(webhook.id, .bold), StyledText(webhook.url),
                    StyledText(webhook.types.isEmpty ? "all" : webhook.types.map(\.title).joined(separator: ", ")),
                    state(webhook.status), webhook.failingSince.map { StyledText(time: $0, .red) } ?? "",
                    StyledText(webhook.description ?? ""),
                ]
            }
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
                ["ID", "EVENT", "OBJECT", "STATE", .number("ATTEMPTS"), "LAST RESPONSE", "NEXT ATTEMPT"]
            ) { delivery in
                [
                    StyledText(delivery.id, .bold), StyledText(delivery.type.title), StyledText(delivery.objectId),
                    StyledText(delivery.status.title, style(delivery.status)), StyledText("\(delivery.attempts.count)"),
                    StyledText(delivery.attempts.last.map(answer) ?? ""),
                    delivery.nextAttemptAt.map { StyledText(time: $0) } ?? "",
                ]
            }
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
