import KooberScreens
import KooberTerminal
import KooberTexts
import PouchEntities
import PouchTerminal
import Testing

/// A screen as the terminal draws it in one language.
@MainActor struct DrawnScreen {
    /// Words of both languages, apart from names and numbers.
    private static let shared: Set<String> = [
        "Koober", "Name", "OK", "Enter", "Esc", "Ctrl", "P", "p", "km", "m", "kg", "min", "AU", "Profil", "e", "E",
        "an", "K", "Start",
    ]

    private let screen: KooberScreen
    private let language: Language
    private let words: Set<String>

    init(_ screen: KooberScreen, in language: Language) {
        self.screen = screen
        self.language = language
        words = Self.words(of: screen, in: language)
    }

    /// Requires that the facts of the screen are drawn in this language, and nothing in another one.
    func check(_ location: SourceLocation) {
        for phrase in screen.facts {
            let missing = Self.words(in: language.text(phrase)).subtracting(words)
            if !missing.isEmpty { Issue.record("\(phrase) is drawn without \(missing)", sourceLocation: location) }
        }
        guard language != .english else { return }
        let english = words.intersection(Self.words(of: screen, in: .english))
        let foreign = english.subtracting(Self.shared).subtracting(names).filter { !isCut($0) }
        if !foreign.isEmpty { Issue.record("Not translated: \(foreign)", sourceLocation: location) }
    }

    /// Whether a dialog covers the rest of a name, whose visible part is this word.
    private func isCut(_ word: String) -> Bool {
        (screen.error != nil || screen.profile != nil) && names.contains { $0.hasPrefix(word) || $0.hasSuffix(word) }
    }

    /// The words that people and the service have chosen.
    private var names: Set<String> {
        let texts = phrases(in: screen).map(\.names) + [screen.profile.map(\.texts) ?? ""] + screen.content.names
        return Self.words(in: (texts + Landmarks.sydney.map(\.name)).joined(separator: " "))
    }

    private func phrases(in value: Any) -> [Phrase] {
        if let phrase = value as? Phrase { return [phrase] }
        return Mirror(reflecting: value).children.flatMap { phrases(in: $0.value) }
    }

    /// The words of the screens that were drawn before. The architectures show the same screens, and drawing them takes
    /// most of the time of the scenarios.
    private static var drawings: [Language: [KooberScreen: Set<String>]] = [:]

    private static func words(of screen: KooberScreen, in language: Language) -> Set<String> {
        if let words = drawings[language]?[screen] { return words }
        let words = draw(screen, in: language)
        drawings[language, default: [:]][screen] = words
        return words
    }

    private static func draw(_ screen: KooberScreen, in language: Language) -> Set<String> {
        let app = StillApp(screen)
        let window = KooberWindow(app, language: language, redraw: {}, quit: {})
        window.show(screen)
        // Wide enough for the map and for the longest list.
        var canvas = Canvas(TerminalSize(columns: 260, rows: 80))
        window.draw(on: &canvas)
        return words(in: canvas.lines.joined(separator: " "))
    }

    /// Without numbers.
    private static func words(in text: String) -> Set<String> {
        Set(text.split { !$0.isLetter && $0 != "’" }.map(String.init))
    }
}

/// An app that always shows one screen.
private final class StillApp: KooberApp {
    let screen: KooberScreen?

    init(_ screen: KooberScreen) { self.screen = screen }
    func screens() -> AsyncStream<KooberScreen> { AsyncStream { $0.finish() } }
    func start() {}
    func perform(_ intention: Intention) throws(UnofferedIntention) {}
}

extension KooberScreen {
    /// The phrases that every rendering shows, unless something covers them.
    public var facts: [Phrase] {
        if let error { return [error.title, error.message] }
        return profile == nil ? content.facts : []
    }
}

extension ProfileScreen {
    fileprivate var texts: String { [name, email, mobileNumber, initials].joined(separator: " ") }
}

extension KooberScreen.Content {
    fileprivate var facts: [Phrase] {
        switch self {
        case .signIn(let form), .signUp(let form): Array(form.problems.values)
        case .pickMeUp(let screen): screen.step.facts
        case .waitingForPickup(let screen):
            [
                // A page has one line for both.
                screen.isCancelling ? .cancellingRide : screen.ride.statusText, screen.ride.fare,
                screen.ride.dropoff.name,
            ]
                + [screen.ride.driver?.text].compactMap { $0 }
        case .launching, .welcome, .gettingUserLocation: []
        }
    }

    fileprivate var names: [String] {
        switch self {
        case .pickMeUp(let screen):
            switch screen.step {
            case .selectDropoffLocation(let picker): [picker.query]
            case .selectRideOption(let picker), .confirmRequest(let picker): picker.options.map(\.title)
            case .initial, .sendingRideRequest: []
            }
        default: []
        }
    }
}

extension PickMeUpScreen.Step {
    fileprivate var facts: [Phrase] {
        switch self {
        case .selectDropoffLocation(let picker): picker.results.flatMap { [$0.name, $0.distance].compactMap { $0 } }
        case .selectRideOption(let picker), .confirmRequest(let picker):
            picker.options.flatMap { [.verbatim($0.title), $0.riders, $0.weight, $0.fare] }
                + [picker.selected?.confirmation].compactMap { $0 }
        case .initial, .sendingRideRequest: []
        }
    }
}

extension Phrase {
    /// The parts of the phrase that are the same in all languages.
    fileprivate var names: String {
        switch self {
        case .verbatim(let words), .near(let words): words
        case .to(let place, _): place
        case .rideBy(let animal, _): animal
        case .driverIsComing(let name, _), .driverIsClose(let name), .cancelledByDriver(let name): name ?? ""
        case .driver(let name, _, _): name
        default: ""
        }
    }
}
