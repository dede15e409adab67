import KooberScreens
import PouchEntities
import PouchTerminal

/// The content of one screen on the terminal.
@MainActor
struct Page {
    let title: String
    var elements: [FormElement] = []
    var map: CityMap?
    /// The height of the elements below the map.
    var rows = 0
    /// Whether the elements replace the map if both do not fit next to each other.
    var isList = false
    /// The work in progress, as in "Signing in".
    var activity: String?
    /// Whether the elements get keys.
    var isEnabled = true
    var hints: [KeyHint] = []

    /// The identity of a page: another kind starts with empty fields.
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
        case .gettingUserLocation: self.init(title: "Where are you?", activity: "Finding your location")
        case .pickMeUp(let screen): self = .pickMeUp(screen, context)
        case .waitingForPickup(let screen): self = .waiting(screen, context)
        }
    }
}

/// The state of a page, and its connection to the window.
@MainActor
struct PageContext {
    let state: PageState
    let perform: @MainActor (Intention) -> Void
    /// Asks before an intention that is easily chosen by mistake.
    let ask: @MainActor (PageQuestion, Intention) -> Void

    var form: Form { state.form }

    func button(_ id: String, _ title: String, _ intention: Intention) -> FormElement {
        .button(id, title) { perform(intention) }
    }
}

struct PageQuestion {
    let text: String
    let yes: String
    let no: String
}

/// The state that a page keeps between two screens of its kind.
@MainActor
final class PageState {
    let form = Form()
    private(set) var trail = Trail()
    /// Whether the last search failed, so that an empty list does not mean that there are no results.
    private(set) var hasFailed = false
    /// Whether a ride under way has not been updated for a while.
    var isSilent = false

    func update(with screen: KooberScreen) {
        switch screen.content {
        case .waitingForPickup(let screen): trail.add(screen.ride.driver)
        case .pickMeUp(let pickMeUp):
            if screen.error != nil { hasFailed = true }
            if pickMeUp.step.isLoading { hasFailed = false }
        default: break
        }
    }
}

extension PickMeUpScreen.Step {
    /// Whether places or ride options are being loaded.
    var isLoading: Bool {
        switch self {
        case .selectDropoffLocation(let picker): picker.isSearching
        case .selectRideOption(let picker), .confirmRequest(let picker): picker.isLoading
        case .initial, .sendingRideRequest: false
        }
    }
}
