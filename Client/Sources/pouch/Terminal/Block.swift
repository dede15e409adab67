#if TerminalPrograms
    import PouchTerminal

    /// One part of what a command prints.
    enum Block {
        case line(StyledText)
        case table(Table)

        static let blank = Block.line("")
    }
#endif
