#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    enum AdminOrderCommand: CommandFamily {
        static let commandName = "order"
        static let abstract = "Show, ship, cancel, refund and annotate an order, or export orders."
        static let discussion = "`pouch admin orders` lists and searches the orders."
        static let subcommands: [any NamedCommand.Type] = [
            Show.self, AdminFulfilCommand.self, Track.self, AdminDeliverCommand.self, Cancel.self,
            AdminRefundCommand.self, Note.self, Slip.self, Export.self,
        ]

        struct Show: ManagedOrderCommand {
            static let abstract = "Show an order with its customer, refunds, notes and refundable amount."

            @OptionGroup var order: ManagedOrderArgument

            func run(in shop: Shop) async throws {
                try shop.show(try await shop.admin.order(order.id), as: ManagedOrderText.details)
            }
        }

        struct Track: ManagedOrderCommand {
            static let abstract = "Enter, correct or remove the tracking number of an order."

            @OptionGroup var order: ManagedOrderArgument
            @OptionGroup var tracking: TrackingOptions
            @Flag(help: "Remove it.")
            var remove = false

            func validate() throws {
                guard (tracking.tracking != nil) != remove else {
                    throw ValidationError("Use either --carrier NAME and --tracking NUMBER, or --remove.")
                }
            }

            func run(in shop: Shop) async throws {
                try await shop.show(
                    order.changing(in: shop) { try await shop.admin.track(id: order.id, tracking.tracking) })
            }
        }

        struct Cancel: ManagedOrderCommand {
            static let abstract = "Cancel an order before it is shipped: refund it in full and restock its units."
            static let discussion = "The command asks for confirmation on a terminal, but not in a pipe."

            @OptionGroup var order: ManagedOrderArgument

            @OptionGroup var confirmation: Confirmation

            func run(in shop: Shop) async throws {
                try await confirmation.ask(
                    "Cancel \(order.id) and refund the full amount?", in: shop,
                    orElse: "Nothing was cancelled.")
                let cancelled = try await shop.withFreshSignIn {
                    try await order.changing(in: shop) { try await shop.admin.cancel(id: order.id) }
                }
                try await shop.show(cancelled)
            }
        }

        struct Note: ManagedOrderCommand {
            static let abstract = "Add a note that only staff can see."

            @OptionGroup var order: ManagedOrderArgument
            @Argument(help: "The note, up to 2,000 characters.")
            var text: String

            func run(in shop: Shop) async throws {
                let note = try await shop.admin.addNote(text, toOrder: order.id)
                try shop.show(note) { [ManagedOrderText.line($0)] }
            }
        }

        struct Slip: ManagedOrderCommand {
            static let abstract = "Print the packing slip for an order."
            static let discussion = "For example: pouch admin order slip P-10001 | lp"

            @OptionGroup var order: ManagedOrderArgument

            func run(in shop: Shop) async throws {
                try shop.refuseJSON(for: "plain text")
                let slip = try await shop.admin.packingSlip(id: order.id)
                shop.output.print(
                    slip.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                        .map { .line(StyledText(String($0))) })
            }
        }

        struct Export: ShopCommand {
            static let abstract = "Export orders as CSV for a spreadsheet, with a row for each line."
            static let discussion = "For example: pouch admin order export --from 2026-12-01 > orders.csv"

            @OptionGroup var search: OrderSearchOptions
            @OptionGroup var target: ExportOptions

            func run(in shop: Shop) async throws {
                try await target.export(in: shop) {
                    try await shop.admin.exportOrders(search.search(in: shop), to: $0)
                }
            }
        }
    }

    /// A command for one order of any customer.
    protocol ManagedOrderCommand: ShopCommand {
        var order: ManagedOrderArgument { get }
    }

    extension ManagedOrderCommand {
        var notFound: NotFound {
            NotFound(
                "order", order.id,
                """
                `pouch admin orders` lists the orders, with their numbers. If the payment failed immediately, the \
                order is not stored; `pouch admin events --type payment.failed --json` shows it.
                """)
        }
    }

    /// An order that a staff member specifies.
    struct ManagedOrderArgument: ParsableArguments {
        @Argument(help: .value("number", "The order's number, such as P-10001, or its ID."))
        var id: String

        /// Changes the order. If its state does not allow that, reads it to say why.
        func changing<Value>(in shop: Shop, _ change: () async throws -> Value) async throws -> Value {
            do {
                return try await change()
            } catch let error as DataError {
                guard
                    [.notFulfillable, .notDeliverable, .notCancellable, .refundExceedsCapture].contains(error.reason),
                    let shown = try? await shop.admin.order(id), let text = Self.reason(for: error, shown)
                else { throw error }
                throw Refusal(
                    text, "`pouch admin order \(shown.order.number)` shows it.", ExitStatus(error.reason))
            }
        }

        private static func reason(for error: DataError, _ shown: ManagedOrder) -> String? {
            let been = Set(shown.order.history.map(\.status))
            switch (error.reason, shown.order.status) {
            case (.refundExceedsCapture, _): return "Only \(shown.refundable.amount.text) is left to refund."
            case (_, .pending): return "This order has not been paid yet."
            case (_, .cancelled): return "This order was cancelled."
            case (.notDeliverable, _) where been.contains(.delivered): return "This order has already been delivered."
            case (.notDeliverable, _) where !been.contains(.fulfilled): return "This order has not been sent yet."
            case (_, .refunded): return "This order was refunded."
            case (_, _) where been.contains(.fulfilled): return "This order has already been sent."
            default: return nil
            }
        }
    }

    struct TrackingOptions: ParsableArguments {
        @Option(help: .value("name", "The carrier, for example DHL."))
        var carrier: String?
        @Option(name: [.customLong("tracking")], help: .value("number", "The tracking number of the parcel."))
        var number: String?
        @Option(
            name: [.customLong("tracking-url")],
            help: .value("url", "The carrier's page for the parcel; must start with https://."))
        var url: String?

        var tracking: Tracking? {
            guard let carrier, let number else { return nil }
            return Tracking(carrier: carrier, number: number, url: url)
        }

        func validate() throws {
            guard (carrier == nil) == (number == nil), url == nil || number != nil else {
                throw ValidationError("Use --carrier NAME and --tracking NUMBER together.")
            }
            guard url?.hasPrefix("https://") ?? true else {
                throw ValidationError("Invalid --tracking-url: it must start with https://.")
            }
        }
    }

    /// The destination of an export.
    struct ExportOptions: ParsableArguments {
        @Option(
            help: .value("file", "The file to write, which must not exist. (default: standard output)"),
            transform: { URL(filePath: $0) })
        var output: URL?

        /// Downloads to a file first, so that a broken export leaves no file that looks complete.
        func export(in shop: Shop, _ download: (URL) async throws -> Void) async throws {
            try shop.refuseJSON(for: "CSV")
            if let output {
                guard !FileManager.default.fileExists(atPath: output.path) else {
                    throw Refusal("\(output.relativePath) already exists.", "Choose another file.", .usage)
                }
                try await download(output)
                return shop.note(StyledText("Exported to \(output.relativePath).", .dim))
            }
            let folder = FileManager.default.temporaryDirectory.appending(path: "pouch-export-\(UUID().uuidString)")
            do {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw Refusal("The export cannot be stored temporarily.", "Free some space, or use --output.", .other)
            }
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "export.csv")
            try await download(file)
            do {
                let reader = try FileHandle(forReadingFrom: file)
                while let piece = try reader.read(upToCount: 1 << 16), !piece.isEmpty { shop.output.write(piece) }
            } catch {
                throw Refusal("The stored export could not be read.", "Try again, or use --output.", .other)
            }
        }
    }

    enum ManagedOrderText {
        static func details(_ shown: ManagedOrder) -> [Output] {
            var output = OrderText.details(shown.order)
            output += .facts([
                ("Customer", shown.customer.map { "\($0.name)  \($0.id)" }),
                ("Discount code", shown.discountCode), ("Units held until", shown.holdExpiresAt),
            ])
            if !shown.refunds.isEmpty { output += [.blank] + shown.refunds.map(refund) }
            let left = StyledText("Left to refund: ", .dim) + StyledText(shown.refundable.amount, .bold)
            output += [.blank, .line(left)]
            if shown.refundable.amount.amount > 0, !shown.refundable.lines.isEmpty {
                output.append(
                    .table(
                        of: shown.refundable.lines,
                        [Field("SKU", \.sku), Field(.number("UNITS"), \.quantity), Field(.number("AMOUNT"), \.amount)]))
            }
            return output + (shown.notes.isEmpty ? [] : [.blank] + shown.notes.map(line))
        }

        static func line(_ note: OrderNote) -> Output {
            .line(
                StyledText(time: note.createdAt, .dim) + "  " + StyledText(note.author ?? "", .bold) + "  "
                    + StyledText(note.text))
        }

        private static func refund(_ refund: Refund) -> Output {
            let state = refund.status == .pending ? StyledText(" pending", .yellow) : ""
            let units = refund.lines.map { lines in
                "  " + lines.map { "\($0.quantity) × \($0.sku)" }.joined(separator: ", ")
            }
            return .line(
                StyledText(time: refund.createdAt, .dim) + "  refund " + StyledText(refund.amount) + state
                    + StyledText(units ?? "") + StyledText(refund.reason.map { "  \($0)" } ?? "", .dim))
        }
    }
#endif
