import KooberScenarios
import KooberScreens
import KooberTexts
import PouchEntities
import Testing

@testable import KooberWeb

/// An app as the site of `koober --web`, in a browser whose user clicks and types.
@MainActor final class BrowserRendering: ScreenRendering {
    private let browser: ScriptedBrowser
    private let language: Language
    private var serving: Task<Void, Never>?
    private var seen: KooberScreen?
    /// The number of screens that the page has shown.
    private(set) var count = 0

    init(_ browser: ScriptedBrowser, in language: Language) {
        self.browser = browser
        self.language = language
    }

    func shows(_ screen: KooberScreen, of app: any KooberApp, _ location: SourceLocation) async throws {
        try await opens(app, location)
        let problem = try await browser.takes(
            .sees(
                language: language.rawValue, texts: screen.facts.map(language.text),
                forms: Set(screen.forms.map { name($0) + [screen.subject(of: $0)].compactMap(\.self) })))
        // A browser gets the latest screen, and need not have seen those before.
        guard app.screen == screen else { return }
        try require(problem, "see the screen", location)
        seen = screen
        count += 1
    }

    func performs(_ intention: Intention, on app: any KooberApp, _ location: SourceLocation) async throws {
        if let screen = app.screen, screen != seen { try await shows(screen, of: app, location) }
        let problem = try await browser.takes(.performs(form: name(intention), input: intention.input))
        try require(problem, "perform \(intention)", location)
    }

    func isReleased() {
        serving?.cancel()
        (serving, seen) = (nil, nil)
    }

    private func opens(_ app: any KooberApp, _ location: SourceLocation) async throws {
        guard serving == nil else { return }
        let server = try await WebServer.start(port: 0)
        let site = KooberSite(app, language: language, port: server.port)
        serving = Task { await server.run(site) }
        try require(try await browser.takes(.opens(address: site.address)), "open the site", location)
    }

    private func require(_ problem: String?, _ action: String, _ location: SourceLocation) throws {
        try #require(
            problem == nil, "In \(language), the browser cannot \(action): \(problem ?? "")", sourceLocation: location)
    }

    /// The hidden fields by which the site tells its forms apart.
    private func name(_ intention: Intention) -> [String] { IntentionFields.hidden(for: intention).map(\.value) }
}

extension KooberScreen {
    /// The intentions for which the page has a form, each with any input.
    fileprivate var forms: [Intention] {
        (AppUnderTest.intentions + choices).filter { intention in
            // The key Escape goes back, too, where the page has another control for it.
            offers(intention) && (intention != .goBack || !offers(.closeProfile) && !offers(.cancelDropoff))
        }
    }

    private var choices: [Intention] {
        guard case .pickMeUp(let screen) = content else { return [] }
        switch screen.step {
        case .selectDropoffLocation(let picker):
            return picker.results.compactMap {
                if case .verbatim(let name) = $0.name { .selectDropoff(name) } else { nil }
            }
        case .selectRideOption(let picker), .confirmRequest(let picker):
            return picker.options.map { .selectRideOption($0.id) }
        case .initial, .sendingRideRequest: return []
        }
    }
}

extension Intention {
    fileprivate var input: [String: String] {
        switch self {
        case .signIn(let email, let password): ["email": email, "password": password.text]
        case .signUp(let name, let email, let mobileNumber, let password):
            ["name": name, "email": email, "mobileNumber": mobileNumber, "password": password.text]
        case .searchDropoffs(let text): ["value": text]
        default: [:]
        }
    }
}
