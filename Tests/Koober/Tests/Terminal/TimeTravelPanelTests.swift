import ClientTesting
import Foundation
import KooberScreens
import KooberTerminal
import KooberTexts
import PouchTerminal
import PouchTesting
import Testing

/// The panel of the recorded actions, which Ctrl-T opens.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct TimeTravelPanelTests {
    /// A recording of three steps, each with its screen.
    @MainActor private final class PlayedRecording: Recording {
        private let app: PlayedApp
        private let screens = [
            KooberScreen(.welcome), KooberScreen(.signIn(FormScreen())), Sydney.search("", [Sydney.bondi]),
        ]
        private var step = 3

        init(_ app: PlayedApp) { self.app = app }
        var position: (step: Int, last: Int) { (step, 3) }
        var action: String? { ["started", "went(toSignIn)", "opened(picker)"][step - 1] }
        func goBack() { go(to: max(1, step - 1)) }
        func goForward() { go(to: min(3, step + 1)) }
        func returnToPresent() { go(to: 3) }
        func export() throws -> Data { Data("exported \(step)".utf8) }
        func start() { app.show(screens[2]) }

        private func go(to step: Int) {
            self.step = step
            app.show(screens[step - 1])
        }
    }

    private let app = PlayedApp()
    private let recording: PlayedRecording

    init() { recording = PlayedRecording(app) }

    private func window(
        columns: Int = 80, _ language: Language = .english,
        export: @escaping @MainActor (Data) throws -> String = { _ in "" }
    ) async throws -> WindowUnderTest {
        let shown = WindowUnderTest(app, columns: columns, language: language, recording: recording, export: export)
        try await shown.redraw { recording.start() }
        return shown
    }

    @Test func `Ctrl-T opens the panel with the latest action, and the arrows show the steps before and after`()
        async throws
    {
        let shown = try await window()
        #expect(!shown.text.contains("Step"))
        shown.press(.control("t"))
        #expect(shown.lines[22] == "Step 3 of 3  opened(picker)")
        #expect(shown.lines[23] == "← back  → forward  e export  Ctrl-T present")
        shown.press(.left)
        try await shown.see("Step 2 of 3  went(toSignIn)")
        try await shown.see("› E-mail")
        shown.press(.left)
        try await shown.see("Step 1 of 3  started")
        try await shown.see("› [ Sign in ]")
        shown.press(.right)
        try await shown.see("› E-mail")
        #expect(app.intentions.isEmpty)
    }

    @Test(arguments: [Key.control("t"), .escape])
    func `Closing the panel returns to the present, with what the user had typed`(key: Key) async throws {
        let shown = try await window()
        shown.type("bon")
        shown.press(.control("t"), .left)
        try await shown.see("› E-mail")
        shown.press(.left)
        try await shown.see("› [ Sign in ]")
        shown.press(key)
        try await shown.see("› Where to?         bon")
        #expect(!shown.text.contains("Step") && !recording.showsPast)
    }

    @Test func `A step to the past that ends before it is drawn leaves what the user had typed`() async throws {
        let shown = try await window()
        shown.type("bon")
        // The window learns of both changes at once, and then of another one.
        shown.press(.control("t"), .left, .control("t"))
        var later = try #require(app.screen)
        later.isOffline = true
        app.show(later)
        try await shown.see(Language.english.text(.offline))
        #expect(shown.text.contains("› Where to?         bon"))
    }

    @Test func `While the panel is open, no key reaches the app`() async throws {
        let shown = try await window()
        shown.press(.control("t"), .enter, .character("x"), .control("p"), .down)
        #expect(app.intentions.isEmpty && !shown.text.contains("Where to?         x"))
        #expect(shown.departures.value == 0)
    }

    @Test func `The recording is exported, and the panel names the file until the next key`() async throws {
        var written: [String] = []
        let shown = try await window(columns: 60) { data in
            written.append(String(decoding: data, as: UTF8.self))
            return "/home/johnny/.local/state/koober/https_koober.example.actions.json"
        }
        shown.press(.control("t"), .character("e"))
        #expect(written == ["exported 3"])
        // A long path has two rows.
        #expect(shown.text.replacing("\n", with: "").contains("koober/https_koober.example.actions.json."))
        shown.press(.left)
        try await shown.see("Step 2 of 3")
        #expect(!shown.text.contains("actions.json"))
    }

    @Test func `A failed export is reported in the language of the window`() async throws {
        let shown = try await window(.german) { _ in throw CocoaError(.fileWriteNoPermission) }
        shown.press(.control("t"))
        #expect(shown.lines[22] == "Schritt 3 von 3  opened(picker)")
        #expect(shown.lines[23] == "← zurück  → vor  e exportieren  Ctrl-T Gegenwart")
        shown.press(.character("e"))
        #expect(shown.lines[22] == "Die Datei konnte nicht geschrieben werden.")
    }

    @Test func `Without a recording Ctrl-T does nothing`() async throws {
        let shown = WindowUnderTest()
        try await shown.show(KooberScreen(.welcome))
        let before = shown.lines
        shown.press(.control("t"))
        #expect(shown.lines == before)
    }
}
