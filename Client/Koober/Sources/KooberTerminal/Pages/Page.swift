import KooberScreens
import KooberTexts
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
    /// Whether typing continues the search of a list.
    var isList = false
    /// Whether the map is shown above the elements if both do not fit next to each other. Otherwise it is omitted.
    var hasRoomForMap = true
    /// The work in progress, as in "Signing in".
    var activity: String?
    /// Whether the elements receive keys.
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
        case .launching: self.init(title: "", activity: context.text(.starting))
        case .welcome: self = .welcome(context)
        case .signIn(let form): self = .signIn(form, context)
        case .signUp(let form): self = .signUp(form, context)
        case .gettingUserLocation:
            self.init(title: context.text(.whereAreYou), activity: context.text(.findingLocation))
        case .pickMeUp(let screen): self = .pickMeUp(screen, context)
        case .waitingForPickup(let screen): self = .waiting(screen, context)
        }
    }
}

/// The state of a page, and its connection to the window.
@MainActor
struct PageContext {
    let state: PageState
    let language: Language
    /// The rows of the elements if the map is next to them, so that there is room for drawings; otherwise 0.
    let rowsNextToMap: Int
    let perform: @MainActor (Intention) -> Void
    /// Asks before an intention that is easy to choose by mistake.
    let ask: @MainActor (PageQuestion, Intention) -> Void

    var form: Form { state.form }

    func text(_ phrase: Phrase) -> String { language.text(phrase) }

    func button(_ id: String, _ title: Phrase, _ intention: Intention) -> FormElement {
        .button(id, text(title)) { perform(intention) }
    }

    var choiceHints: [KeyHint] { [("Enter", text(.choose)), ("↑↓", text(.move))] }
    var formHints: [KeyHint] { [("Enter", text(.next)), ("↑↓", text(.move))] }
}

struct PageQuestion {
    let text: Phrase
    let yes: Phrase
    let no: Phrase
}

/// The state that a page keeps between two screens of its kind.
@MainActor
final class PageState {
    /// nil for the profile.
    let kind: Page.Kind?
    let form = Form()
    private(set) var memory = ScreenMemory()
    /// Whether a ride under way has not been updated for a while.
    var isSilent = false
    private var problems: [FormField: Phrase] = [:]
    /// The search of the app.
    private var query = ""

    /// - Parameter screen: nil for the profile.
    init(for screen: KooberScreen? = nil) {
        kind = screen.map { Page.Kind($0.content) }
        // In an app that starts with a selected option, the next step is to confirm it.
        form.focus(on: Page.confirmButton)
    }

    func update(with screen: KooberScreen) {
        memory.follow(screen)
        switch screen.content {
        case .signIn(let form), .signUp(let form):
            if form.problems != problems { focusOnProblem(of: screen) }
            problems = form.problems
        case .pickMeUp(let pickMeUp):
            if case .selectDropoffLocation(let picker) = pickMeUp.step { follow(picker.query) }
        default: break
        }
    }

    /// Puts the cursor into the first field with a problem, if there is one.
    func focusOnProblem(of screen: KooberScreen) {
        switch screen.content {
        case .signIn(let screen), .signUp(let screen):
            if let first = screen.problems.keys.min() { form.focus(on: first.rawValue) }
        default: break
        }
    }

    /// Shows a search that the user did not type, for example at the start of the app.
    private func follow(_ newQuery: String) {
        if form[Page.queryField] == query { form[Page.queryField] = newQuery }
        query = newQuery
    }
}
