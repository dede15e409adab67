#if TerminalPrograms
    import PouchClient

    /// How a refund is shown.
    enum RefundText {
        static func blocks(_ refund: Refund) -> [Block] {
            let state: Text =
                switch refund.status {
                case .pending: Text("is on its way", .yellow)
                case .succeeded: Text("was given back", .green)
                case .failed: Text("could not be given back", .red)
                case .unrecognised: "was asked for"
                }
            return [.line(Text(refund.amount) + " " + state + "." + Text("  \(refund.id)", .dim))]
        }
    }
#endif
