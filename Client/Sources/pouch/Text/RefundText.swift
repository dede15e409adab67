#if TerminalPrograms
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    /// How a refund is shown.
    enum RefundText {
        static func blocks(_ refund: Refund) -> [Block] {
            let state: StyledText =
                switch refund.status {
                case .pending: StyledText("is on its way", .yellow)
                case .succeeded: StyledText("was given back", .green)
                case .failed: StyledText("could not be given back", .red)
                case .unrecognised: "was asked for"
                }
            return [.line(StyledText(refund.amount) + " " + state + "." + StyledText("  \(refund.id)", .dim))]
        }
    }
#endif
