import KooberScreens

/// The traces of earlier screens and requests that pages show.
struct PageMemory: Sendable {
    private(set) var screens = ScreenMemory()
    /// The input of the last sent form, without the password: a reloaded page has no other memory.
    private(set) var drafts: [FormField: String] = [:]

    mutating func follow(_ screen: KooberScreen) {
        screens.follow(screen)
        switch screen.content {
        case .signIn, .signUp: break
        default: drafts = [:]
        }
    }

    mutating func keepInput(of form: [String: String]) {
        for field in FormField.allCases where field != .password {
            if let input = form[field] { drafts[field] = input }
        }
    }
}
