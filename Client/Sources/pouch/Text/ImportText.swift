#if TerminalPrograms
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    /// How an import is shown.
    enum ImportText {
        /// Errors beyond these are counted.
        private static let shownErrors = 20

        static func blocks(_ found: CatalogImport) -> [Block] {
            var blocks: [Block] = [
                .line(status(found.status) + StyledText("  \(found.id)", .dim)), .line(StyledText(counts(found))),
            ]
            guard !found.errors.isEmpty else { return blocks }
            blocks += [
                .blank,
                .table(
                    Table(
                        columns: [
                            .init(title: "LINE", isNumber: true), .init(title: "FIELD"), .init(title: "ERROR"),
                        ],
                        rows: found.errors.prefix(shownErrors).map { error in
                            [
                                StyledText(error.line > 0 ? "\(error.line)" : ""), StyledText(error.field ?? ""),
                                StyledText(error.detail, .yellow),
                            ]
                        }
                    )),
            ]
            let others = found.failed - min(found.errors.count, shownErrors)
            if others > 0 { blocks.append(.line(StyledText("and \(others) more; --json lists them", .dim))) }
            return blocks
        }

        /// In one line.
        static func counts(_ found: CatalogImport) -> String {
            "\(count(found.rows, "row")): \(count(found.created, "product")) new, \(found.updated) changed, "
                + "\(found.unchanged) unchanged, \(count(found.failed, "error"))"
        }

        private static func count(_ number: Int, _ noun: String) -> String {
            "\(number) \(noun)\(number == 1 ? "" : "s")"
        }

        private static func status(_ status: CatalogImport.Status) -> StyledText {
            switch status {
            case .running: StyledText("The import is running.", .yellow)
            case .published: StyledText("The import is published.", .green)
            case .failed: StyledText("The import failed; nothing was changed.", .red)
            case .dryRun: StyledText("Nothing was changed; this is what would be.", .green)
            case .unrecognised: StyledText("The import's state is not known to this program.")
            }
        }
    }
#endif
