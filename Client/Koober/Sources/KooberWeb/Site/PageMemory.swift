import KooberScreens
import PouchEntities

/// The traces of earlier screens and requests that pages show.
struct PageMemory: Sendable {
    /// The maximum length of the trail. The oldest locations are removed first.
    private static let longestTrail = 1_000

    /// The locations of the kangaroo of the current ride, newest last.
    private(set) var trail: [GeoPoint] = []
    /// Whether the last search failed, so that an empty list does not mean that there are no results.
    private(set) var hasFailed = false
    /// The input of the last sent form, without the password: a reloaded page has no other memory.
    private(set) var drafts: [FormField: String] = [:]
    private var driver: String?

    mutating func follow(_ screen: KooberScreen) {
        if !screen.content.isForm { drafts = [:] }
        if case .pickMeUp(let pickMeUp) = screen.content {
            if screen.error != nil { hasFailed = true }
            if pickMeUp.isBusy { hasFailed = false }
        }
        guard case .waitingForPickup(let waiting) = screen.content, let now = waiting.ride.driver else {
            (driver, trail) = (nil, [])
            return
        }
        let id = "\(waiting.ride.id) \(now.name)"
        if id != driver { (driver, trail) = (id, []) }
        if trail.last != now.location { trail = trail.suffix(Self.longestTrail - 1) + [now.location] }
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
