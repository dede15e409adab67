import Foundation
import PouchCoordination
import PouchScreens
import PouchTerminal
import PouchTerminalScreens
import Testing

/// A window of 80 by 24 with screens over a shop that remembers what it was asked.
@MainActor
final class ScreenUnderTest {
    let window: ShopWindow
    let factory: TerminalScreenFactory
    let shop = RecordingShop()
    /// How often somebody has left the shop.
    let departures = Counter()
    private let size: TerminalSize
    private var screens: [any ShopScreen] = []

    init(columns: Int = 80, rows: Int = 24, clock: any Clock<Duration> = ManualClock()) {
        size = TerminalSize(columns: columns, rows: rows)
        window = ShopWindow(clock: clock, timeZone: .gmt, redraw: {}, quit: { [departures] in departures.increment() })
        factory = TerminalScreenFactory(window)
    }

    func show(_ screens: any ShopScreen...) {
        self.screens = screens
        for screen in screens { screen.coordinatingResponder = shop }
        window.surface.show(screens)
    }

    var lines: [String] {
        var canvas = Canvas(size)
        window.draw(on: &canvas)
        return canvas.lines
    }

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

    /// Waits until the shop was asked for so much.
    func messages(_ count: Int) async throws -> [String] {
        try await wait { self.shop.messages.count >= count }
        return shop.messages
    }

    /// Waits until the screen shows it.
    func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        do {
            try await wait { self.text.contains(text) }
        } catch {
            Issue.record("waited for “\(text)”, but saw\n\(self.text)", sourceLocation: sourceLocation)
            throw error
        }
    }

    /// - Throws: when the test's time is over.
    func wait(until isMet: () -> Bool) async throws {
        while !isMet() {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
