#if TerminalPrograms
    import ArgumentParser
    import PouchClient
    import PouchTerminal

    /// Which page of a list.
    struct PageOptions: ParsableArguments {
        @Option(help: ArgumentHelp("At most this many, 1 to 200. (default: 50)", valueName: "number"))
        var limit: Int?
        @Option(help: ArgumentHelp("Where to go on, as the page before has said.", valueName: "text"))
        var cursor: String?

        func validate() throws {
            if let limit, !(1...200).contains(limit) { throw ValidationError("--limit takes a number from 1 to 200.") }
        }

        /// Says how to see more, where there is more.
        func noteNext(_ cursor: String?, in shop: Shop) {
            guard let cursor, !shop.printsJSON else { return }
            shop.note(StyledText("There are more: add --cursor \(cursor)", .dim))
        }
    }
#endif
