/// What a card does; its token says which card it is.
enum SandboxCard: Equatable {
    case good
    case declined(code: String)
    /// Charged, but only after a while.
    case slow
    /// Charged, but nobody is told.
    case lost
    /// The provider fails and books nothing.
    case failing

    init(token: String) {
        self =
            switch token {
            case "tok_ok": .good
            case "tok_slow": .slow
            case "tok_lost": .lost
            case "tok_error": .failing
            case "tok_declined": .declined(code: "card_declined")
            case "tok_insufficient_funds": .declined(code: "insufficient_funds")
            default: .declined(code: "unknown_card")
            }
    }

    var declineCode: String? {
        if case .declined(let code) = self { code } else { nil }
    }
}
