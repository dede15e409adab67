import KooberScreens
import KooberTerminal
import PouchTerminal
import Testing

/// Somebody at a terminal with an app whose screens the test shows.
@MainActor
final class WindowUnderTest {
    let app: PlayedApp
    let clock = ManualClock()
    let departures = Counter()
    private let redraws = Counter()
    private let window: KooberWindow
    private let following: Task<Void, Never>
    private var size: TerminalSize

    init(_ app: PlayedApp = PlayedApp(), columns: Int = 80, rows: Int = 24) {
        self.app = app
        size = TerminalSize(columns: columns, rows: rows)
        window = KooberWindow(
            app, clock: clock, redraw: { [redraws] in redraws.increment() },
            quit: { [departures] in departures.increment() })
        following = Task { [window] in await window.follow() }
    }

    deinit {
        following.cancel()
    }

    /// Waits until the window has taken note of it.
    func show(_ screen: KooberScreen) async throws {
        // Before the window follows, it would get one screen for several.
        try await eventually { app.isFollowed }
        let before = redraws.value
        app.show(screen)
        try await eventually { redraws.value > before }
    }

    /// Waits until the window shows what the app is at.
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

    var lines: [String] { canvas.lines }
    var text: String { lines.joined(separator: "\n") }

    func press(_ keys: Key...) {
        for key in keys {
            _ = lines
            window.press(key)
        }
    }

    func type(_ text: String) {
        for character in text { press(.character(character)) }
    }
}
