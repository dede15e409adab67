import ClientTesting
import Foundation
import KooberScreens
import KooberTerminal
import KooberTexts
import PouchTerminal
import PouchTesting
import Testing

/// A terminal with an app whose screens the test provides.
@MainActor final class WindowUnderTest {
    let app: PlayedApp
    let clock = ManualClock()
    let departures = Counter()
    private let redraws = Counter()
    private let window: KooberWindow
    private let following: Task<Void, Never>
    private var size: TerminalSize

    init(
        _ app: PlayedApp = PlayedApp(), columns: Int = 80, rows: Int = 24, language: Language = .english,
        recording: (any Recording)? = nil, export: @escaping @MainActor (Data) throws -> String = { _ in "" },
        resized: @escaping @MainActor (WindowSize) -> Void = { _ in }
    ) {
        self.app = app
        size = TerminalSize(columns: columns, rows: rows)
        window = KooberWindow(
            app, language: language, recording: recording, export: export, resized: resized, clock: clock,
            redraw: { [redraws] in redraws.increment() }, quit: { [departures] in departures.increment() })
        following = Task { [window] in await window.follow() }
    }

    deinit { following.cancel() }

    /// Waits until the window has the screen.
    func show(_ screen: KooberScreen) async throws { try await redraw { app.show(screen) } }

    /// Waits until the window has the screen that follows from the change.
    func redraw(after change: @MainActor () -> Void) async throws {
        // A window that starts to follow later would miss screens.
        try await eventually { app.isFollowed }
        let before = redraws.value
        change()
        try await eventually { redraws.value > before }
    }

    func see(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        do {
            try await eventually { self.text.contains(text) }
        } catch {
            Issue.record("waited for “\(text)”, but saw\n\(self.text)", sourceLocation: sourceLocation)
            throw error
        }
    }

    func resize(columns: Int, rows: Int) { size = TerminalSize(columns: columns, rows: rows) }

    var canvas: Canvas {
        var canvas = Canvas(size)
        window.draw(on: &canvas)
        return canvas
    }

    /// With a blank for each no-break space of prices.
    var lines: [String] { canvas.lines.map { $0.replacing("\u{A0}", with: " ") } }
    var text: String { lines.joined(separator: "\n") }
    /// The line with the mark of the focus.
    var focused: String { lines.first { $0.hasPrefix("›") } ?? "" }

    func press(_ keys: Key...) {
        for key in keys {
            _ = lines
            window.press(key)
        }
    }

    /// Types the text, and then presses the keys.
    func type(_ text: String, _ keys: Key...) { for key in text.map(Key.character) + keys { press(key) } }
}

/// An app that shows the screens that the test provides.
@MainActor final class PlayedApp: KooberApp {
    private(set) var screen: KooberScreen?
    /// The intentions that were offered and performed.
    private(set) var intentions: [Intention] = []
    private(set) var isFinished = false
    private let launch: [KooberScreen]
    private let answer: @MainActor (Intention) -> [KooberScreen]
    private var listeners: [AsyncStream<KooberScreen>.Continuation] = []

    /// - Parameters:
    ///   - launch: the screens at the start, one after another.
    ///   - answer: the screens after an intention.
    init(_ launch: KooberScreen..., answer: @escaping @MainActor (Intention) -> [KooberScreen] = { _ in [] }) {
        self.launch = launch
        self.answer = answer
    }

    var isFollowed: Bool { !listeners.isEmpty }

    func screens() -> AsyncStream<KooberScreen> {
        let (screens, listener) = AsyncStream.makeStream(of: KooberScreen.self)
        if let screen { listener.yield(screen) }
        listeners.append(listener)
        return screens
    }

    func start() { launch.forEach(show) }

    func show(_ screen: KooberScreen) {
        guard screen != self.screen else { return }
        self.screen = screen
        for listener in listeners { listener.yield(screen) }
    }

    func perform(_ intention: Intention) throws(UnofferedIntention) {
        guard screen?.offers(intention) == true else { throw UnofferedIntention(intention, on: screen) }
        intentions.append(intention)
        answer(intention).forEach(show)
    }

    func finish() async { isFinished = true }
}
