#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal
    import Synchronization

    enum AdminImportCommand: CommandFamily {
        static let commandName = "import"
        static let abstract = "Import a catalogue, and follow the import until it is published."
        static let discussion = """
            Products that are not in the file do not change. A new product in a CSV is on sale at once, unless its \
            Status is draft or archived or its Published is false. Without these columns, existing products keep \
            their status.

            Rows with errors are listed; the rest is published, and the exit code is 1. It is 3 if the import \
            failed as a whole. Notes list values that were adjusted, and columns that the shop does not use.
            """
        static let subcommands: [any NamedCommand.Type] = [Run.self, Show.self]

        struct Run: ShopCommand {
            static let abstract = "Upload a file and follow its import."

            @Argument(help: "A product CSV from Shopify, or a JSON object with products, seasons and slides.")
            var file: String
            @Option(help: "The format of the file. (default: from its extension, .csv or .json)")
            var format: FeedFormat?
            @Flag(help: "Show what would change, without changing it.")
            var dryRun = false
            @Flag(help: "Return as soon as the file is uploaded.")
            var noWait = false

            func run(in shop: Shop) async throws {
                let file = URL(fileURLWithPath: file)
                guard FileManager.default.isReadableFile(atPath: file.path) else {
                    throw Refusal("\(self.file) cannot be read.", "Check the path and its permissions.", .usage)
                }
                guard let format = format ?? FeedFormat(file: file) else {
                    throw Refusal(
                        "The format of \(file.lastPathComponent) is not clear from its name.",
                        "Add --format \(FeedFormat.allCases.map(\.rawValue).joined(separator: " or --format ")).",
                        .usage)
                }
                let started = try await upload(file, format, in: shop)
                guard !noWait else { return try shop.show(started, as: ImportText.details) }
                try await AdminImportCommand.follow(started, in: shop)
            }

            private func upload(_ file: URL, _ format: FeedFormat, in shop: Shop) async throws -> CatalogImport {
                let bar = ProgressBar("Sending  ")
                defer { bar.clear() }
                return try await shop.admin.importCatalog(file: file, format: format, isDryRun: dryRun) {
                    bar.show($0, of: $1)
                }
            }
        }

        struct Show: ShopCommand {
            static let abstract = "Follow an earlier import until it ends."

            @Argument(help: "The import's ID, imp_…")
            var id: String
            @Flag(help: "Show the progress and return.")
            var noWait = false

            var notFound: NotFound { NotFound("import", id, "`pouch admin import FILE` prints the import's ID.") }

            func run(in shop: Shop) async throws {
                let found = try await shop.admin.catalogImport(id: id)
                guard !noWait else { return try shop.show(found, as: ImportText.details) }
                try await AdminImportCommand.follow(found, in: shop)
            }
        }

        private static func follow(_ started: CatalogImport, in shop: Shop) async throws {
            let bar = ProgressBar("Importing")
            bar.show(ImportText.counts(started))
            let ended: CatalogImport
            do {
                defer { bar.clear() }
                ended = try await shop.admin.follow(started) { bar.show(ImportText.counts($0)) }
            }
            try shop.show(ended, as: ImportText.details)
            if ended.status == .failed { throw ExitCode(ExitStatus.refused.rawValue) }
            if ended.failed > 0 { throw ExitCode(ExitStatus.other.rawValue) }
        }
    }

    extension FeedFormat: @retroactive ExpressibleByArgument {
        /// The format by the file's extension; nil for any other extension.
        init?(file: URL) {
            switch file.pathExtension.lowercased() {
            case "csv": self = .shopifyCSV
            case "json": self = .layersJSON
            default: return nil
            }
        }
    }

    private enum ImportText {
        /// The maximum number of errors, and of notes, to list; the rest are counted.
        private static let shown = 20

        static func details(_ found: CatalogImport) -> [Output] {
            var output: [Output] = [
                .line(status(of: found) + StyledText("  \(found.id)", .dim)), .line(StyledText(counts(found))),
            ]
            output += rows("ERROR", found.errors, of: found.failed, .yellow)
            output += rows("NOTE", found.notes, of: found.notes.count, .plain)
            return output
        }

        private static func rows(
            _ heading: Output.Column, _ rows: [CatalogImport.RowError], of count: Int, _ style: Style
        ) -> [Output] {
            guard !rows.isEmpty else { return [] }
            let first = Array(rows.prefix(shown))
            let table = Output.table(
                of: first,
                [
                    Field(.number("LINE")) { $0.line > 0 ? "\($0.line)" : "" }, Field("FIELD", \.field),
                    Field(heading, style, \.detail),
                ])
            let others = count - first.count
            let rest = others > 0 ? [Output.line(StyledText("and \(others) more; --json lists them", .dim))] : []
            return [.blank, table] + rest
        }

        /// The counts of an import in one line.
        static func counts(_ found: CatalogImport) -> String {
            "\(count(found.rows, "row")): \(count(found.created, "product")) new, \(found.updated) changed, "
                + "\(found.unchanged) unchanged, \(count(found.failed, "error"))"
        }

        private static func count(_ number: Int, _ noun: String) -> String {
            "\(number) \(noun)\(number == 1 ? "" : "s")"
        }

        private static func status(of found: CatalogImport) -> StyledText {
            switch found.status {
            case .running: StyledText("The import is running.", .yellow)
            case .published where found.failed > 0 && found.created + found.updated + found.unchanged == 0:
                StyledText("No product was imported.", .red)
            case .published: StyledText("The import is published.", .green)
            case .failed: StyledText("The import failed; nothing was changed.", .red)
            case .dryRun: StyledText("Nothing was changed; these are the changes it would make.", .green)
            case .unrecognised: StyledText("This version of pouch does not know the import's status.")
            }
        }
    }

    /// A progress bar on standard error; invisible if that is not a terminal.
    private final class ProgressBar: Sendable {
        private static let width = 32

        private let console = Console(STDERR_FILENO)
        private let label: String
        private let shown = Mutex("")

        init(_ label: String) {
            self.label = label
        }

        func show(_ done: Int64, of total: Int64) {
            guard total > 0 else { return }
            let percent = Int(min(100, max(0, Double(done) / Double(total) * 100)))
            let filled = percent * Self.width / 100
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
            show("\(bar) \(percent) %")
        }

        /// Replaces the text after the label. Can be called from any thread.
        func show(_ text: String) {
            guard console.isTerminal else { return }
            shown.withLock { shown in
                guard shown != text else { return }
                shown = text
                console.write("\r\u{1B}[K\(label) \(text)")
            }
        }

        /// Clears the line for the next output.
        func clear() {
            guard console.isTerminal else { return }
            console.write("\r\u{1B}[K")
        }
    }
#endif
