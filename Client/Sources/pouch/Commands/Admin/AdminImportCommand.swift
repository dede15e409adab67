#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient

    struct AdminImportCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Import a catalogue, and follow it until it is published.",
            discussion: """
                Products that the file does not name stay as they are. Rows that cannot be taken over are listed; the \
                rest is published. The exit code is 3 when the import as a whole failed.
                """,
            subcommands: [Run.self, Show.self],
            defaultSubcommand: Run.self
        )

        @OptionGroup var global: GlobalOptions

        struct Run: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Send a file and follow its import.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "A product CSV of Shopify, or a JSON object with products, seasons and slides.")
            var file: String
            @Option(help: "What the file is. (default: by its name, .csv or .json)")
            var format: FeedFormat?
            @Flag(help: "Find out what would change, and change nothing.")
            var dryRun = false
            @Flag(help: "Return as soon as the server has the file.")
            var noWait = false

            func run(in shop: Shop) async throws {
                let file = URL(fileURLWithPath: file)
                guard FileManager.default.isReadableFile(atPath: file.path) else {
                    throw Refusal("\(self.file) cannot be read.", "Check the path and its permissions.", .usage)
                }
                guard let format = format ?? FeedFormat(file: file) else {
                    throw Refusal(
                        "The name \(file.lastPathComponent) does not tell the format.",
                        "Name it: --format \(FeedFormat.allCases.map(\.rawValue).joined(separator: " or --format ")).",
                        .usage)
                }
                let started = try await upload(file, format, in: shop)
                guard !noWait else {
                    try shop.show(started, as: ImportText.blocks(started))
                    return
                }
                try await AdminImportCommand.follow(started, in: shop)
            }

            private func upload(_ file: URL, _ format: FeedFormat, in shop: Shop) async throws -> CatalogImport {
                let bar = ProgressBar("Sending  ")
                defer { bar.end() }
                return try await shop.client.admin.importCatalog(file: file, format: format, isDryRun: dryRun) {
                    bar.show($0, of: $1)
                }
            }
        }

        struct Show: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Follow an import that was sent before, until it ends.")

            static let adviceWhenNotFound = "`pouch admin import FILE` names the import's id."

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The import's id, imp_…")
            var id: String
            @Flag(help: "Show how far it is, and return.")
            var noWait = false

            func run(in shop: Shop) async throws {
                let found = try await shop.client.admin.catalogImport(id: id)
                guard !noWait else {
                    try shop.show(found, as: ImportText.blocks(found))
                    return
                }
                try await AdminImportCommand.follow(found, in: shop)
            }
        }

        private static func follow(_ started: CatalogImport, in shop: Shop) async throws {
            let bar = ProgressBar("Importing")
            bar.show(ImportText.counts(started))
            let ended: CatalogImport
            do {
                defer { bar.end() }
                ended = try await shop.client.admin.follow(started) { bar.show(ImportText.counts($0)) }
            }
            try shop.show(ended, as: ImportText.blocks(ended))
            if ended.status == .failed { throw ExitCode(ExitStatus.refused.rawValue) }
        }
    }
#endif
