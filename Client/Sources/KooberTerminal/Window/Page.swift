import KooberScreens
import PouchTerminal

/// A screen of Koober in one of its states: what it says, what can be done, and what is on the map.
@MainActor
struct Page {
    let title: String
    var elements: [FormElement] = []
    var map: CityMap?
    /// What the elements get where they stand below the map.
    var rows = 0
    /// Whether the map has to go where there is no room for it beside the elements.
    var isList = false
    /// What is under way, as in "Signing in".
    var activity: String?
    /// Whether the elements get keys.
    var isEnabled = true
    var hints: [(key: String, meaning: String)] = []

    /// Which of the pages it is: what was typed goes when another comes.
    enum Kind: Hashable {
        case launching, welcome, signIn, signUp, locating, map, dropoff, rideOption, sending, waiting
    }
}

extension Page.Kind {
    init(_ content: KooberScreen.Content) {
        switch content {
        case .launching: self = .launching
        case .welcome: self = .welcome
        case .signIn: self = .signIn
        case .signUp: self = .signUp
        case .gettingUserLocation: self = .locating
        case .pickMeUp(let screen):
            switch screen.step {
            case .initial: self = .map
            case .selectDropoffLocation: self = .dropoff
            case .selectRideOption, .confirmRequest: self = .rideOption
            case .sendingRideRequest: self = .sending
            }
        case .waitingForPickup: self = .waiting
        }
    }
}

extension Page {
    init(_ content: KooberScreen.Content, _ context: PageContext) {
        switch content {
        case .launching: self.init(title: "", activity: "Starting")
        case .welcome: self = .welcome(context)
        case .signIn(let form): self = .signIn(form, context)
        case .signUp(let form): self = .signUp(form, context)
        case .gettingUserLocation: self.init(title: "Where are you?", activity: "Finding out where you are")
        case .pickMeUp(let screen): self = .pickMeUp(screen, context)
        case .waitingForPickup(let screen): self = .waiting(screen, context)
        }
    }
}
