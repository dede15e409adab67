import KooberScreens

/// The traces of earlier screens and requests that pages show.
struct PageMemory: Sendable {
    private(set) var trail = Trail()
    /// Whether the last search failed, so that an empty list does not mean that there are no results.
    private(set) var hasFailed = false
    /// The input of the last sent form, without the password: a reloaded page has no other memory.
    private(set) var drafts: [FormField: String] = [:]

    mutating func follow(_ screen: KooberScreen) {
        if !screen.content.isForm { drafts = [:] }
        if case .pickMeUp(let pickMeUp) = screen.content {
            if screen.error != nil { hasFailed = true }
            if pickMeUp.isBusy { hasFailed = false }
        }
        if case .waitingForPickup(let waiting) = screen.content {
            trail.follow(waiting.ride)
        } else {
            trail.follow(nil)
        }
    }

    mutating func keepInput(of form: [String: String]) {
        for field in FormField.allCases where field != .password {
            if let input = form[field] { drafts[field] = input }
        }
    }
}

extension KooberScreen.Content {
    fileprivate var isForm: Bool {
        switch self {
        case .signIn, .signUp: true
        default: false
        }
    }
}
