#if TerminalPrograms
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    extension StyledText {
        /// The price, with the one before a reduction behind it.
        init(price: Money, before: Money?) {
            self.init(price)
            if let before, before != price { self = self + StyledText(" (was \(before.decimal))", .dim) }
        }
    }
#endif
