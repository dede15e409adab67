#if TerminalPrograms
    /// One part of what a command prints.
    enum Block {
        case line(Text)
        case table(Table)

        static let blank = Block.line("")
    }
#endif
