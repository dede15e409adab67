import Foundation
import PseudoTerminal
import Testing

/// A program at a terminal of its own, and what it leaves behind.
@Suite(.timeLimit(.minutes(2)))
struct TerminalTests {
    /// What stands on the terminal before the program draws.
    static let shell = "before"

    static func startedProbe(
        columns: Int = 60, rows: Int = 10, environment: [String: String] = [:]
    ) async throws -> (PseudoTerminal, TerminalProgram) {
        let terminal = try PseudoTerminal(columns: columns, rows: rows)
        // A crash is to end the program at once, without a report, also where Thread Sanitizer would make one.
        let standard = ["TERM": "xterm-256color", "SWIFT_BACKTRACE": "enable=no", "TSAN_OPTIONS": "handle_segv=0"]
        let probe = try terminal.run(
            BuiltProgram.url("terminal-probe"), environment: standard.merging(environment) { $1 })
        try await terminal.wait(for: "last row")
        return (terminal, probe)
    }

    /// The screen with the shell is back, the cursor too, and the line is as it was.
    static func expectGivenBack(
        _ terminal: PseudoTerminal, as before: LineSettings, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await terminal.wait("the shell's screen") { !$0.isAlternate && $0.isCursorVisible }
        let screen = terminal.screen
        #expect(screen.lines.first == shell, sourceLocation: sourceLocation)
        #expect(screen.isWrapping && !screen.isBracketingPastes, sourceLocation: sourceLocation)
        #expect(screen.unknown.isEmpty, sourceLocation: sourceLocation)
        #expect(terminal.settings == before, sourceLocation: sourceLocation)
    }

    @Test("A program draws on the other screen, gets each key as it is pressed, and leaves the terminal as it was")
    func usual() async throws {
        let settings = try PseudoTerminal().settings
        let (terminal, probe) = try await Self.startedProbe()
        #expect(terminal.settings.isRaw)
        #expect(terminal.screen.isAlternate && !terminal.screen.isCursorVisible)
        #expect(terminal.screen.lines.first == "60 by 10")
        #expect(terminal.screen.lines.last == String(repeating: " ", count: 52) + "last row")
        terminal.type("aé漢")
        terminal.press(.up, .pageDown, .backTab)
        try await terminal.wait(for: "keys: character(\"a\")")
        try await terminal.wait(for: "backTab")
        terminal.press(.escape)
        try await terminal.wait(for: "escape")
        terminal.type("q")
        #expect(await probe.exit == 0)
        try await Self.expectGivenBack(terminal, as: settings)
        try await terminal.wait("its last word") { $0.lines[1] == "ended: stopped" }
    }

    @Test("Ctrl-C is a key, and ends the program in the usual way")
    func interrupt() async throws {
        let settings = try PseudoTerminal().settings
        let (terminal, probe) = try await Self.startedProbe()
        terminal.press(.interrupt)
        #expect(await probe.exit == 0)
        try await Self.expectGivenBack(terminal, as: settings)
        try await terminal.wait("its last word") { $0.lines[1] == "ended: interrupted" }
    }

    @Test(
        "A signal that ends the program leaves the terminal as it was",
        arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT])
    func signals(signal: Int32) async throws {
        let settings = try PseudoTerminal().settings
        let (terminal, probe) = try await Self.startedProbe()
        probe.send(signal)
        #expect(await probe.exit == 128 + signal)
        try await Self.expectGivenBack(terminal, as: settings)
    }

    /// What the probe does on a key, and with what it may end then.
    static let crashes: [(key: String, exits: [Int32])] = [
        ("T", [128 + SIGILL, 128 + SIGTRAP]), ("A", [128 + SIGABRT]), ("S", [128 + SIGSEGV]), ("E", [3]),
    ]

    @Test(
        "A crash leaves the terminal as it was: a trap, an abort, a bad address, an exit",
        arguments: crashes)
    func crash(key: String, exits: [Int32]) async throws {
        let settings = try PseudoTerminal().settings
        let (terminal, probe) = try await Self.startedProbe()
        terminal.type(key)
        #expect(exits.contains(await probe.exit))
        try await Self.expectGivenBack(terminal, as: settings)
    }

    @Test("The size follows the window, and one that is too small says so")
    func resize() async throws {
        let (terminal, probe) = try await Self.startedProbe()
        terminal.resize(columns: 44, rows: 8)
        try await terminal.wait("the new size") { $0.lines[0] == "44 by 8" && $0.lines[7].hasSuffix("last row") }
        terminal.resize(columns: 19, rows: 8)
        try await terminal.wait("the message") { $0.lines[0] == "This window is too" && !$0.text.contains("last row") }
        terminal.resize(columns: 60, rows: 10)
        try await terminal.wait(for: "60 by 10")
        terminal.type("q")
        #expect(await probe.exit == 0)
    }

    @Test("Without colours there are none, as NO_COLOR asks")
    func noColor() async throws {
        let (colorful, first) = try await Self.startedProbe()
        #expect(colorful.screen.style(of: "keys:") == [32])
        let (plain, second) = try await Self.startedProbe(environment: ["NO_COLOR": "1"])
        #expect(plain.screen.style(of: "keys:") == [])
        for (terminal, probe) in [(colorful, first), (plain, second)] {
            terminal.type("q")
            #expect(await probe.exit == 0)
        }
    }

    @Test("A terminal that cannot place the cursor is left alone", arguments: ["dumb", ""])
    func dumb(term: String) async throws {
        let terminal = try PseudoTerminal()
        let probe = try terminal.run(BuiltProgram.url("terminal-probe"), environment: ["TERM": term])
        #expect(await probe.exit == 1)
        try await terminal.wait(for: "error: cannotDraw")
        #expect(!terminal.screen.isAlternate)
    }

    @Test("Ctrl-Z brings the shell forward, and fg the program, drawn anew")
    func suspend() async throws {
        let terminal = try PseudoTerminal(columns: 60, rows: 10)
        let settings = terminal.settings
        let probe = BuiltProgram.url("terminal-probe").path
        // A shell with job control, which gives its terminal to the program and takes it back.
        let shell = try terminal.run(
            URL(filePath: "/bin/sh"),
            ["-c", "set -m; '\(probe)'; echo shell: $?; read line; fg; echo shell: $?"],
            environment: ["TERM": "xterm", "PATH": "/usr/bin:/bin"])
        try await terminal.wait(for: "last row")
        terminal.press(.suspend)
        try await terminal.wait(for: "shell: 148")
        try await Self.expectGivenBack(terminal, as: settings)
        terminal.type("\n")
        try await terminal.wait("the program") { $0.isAlternate && !$0.isCursorVisible && $0.text.contains("last row") }
        #expect(terminal.settings.isRaw)
        terminal.type("k")
        try await terminal.wait(for: "character(\"k\")")
        terminal.type("q")
        #expect(await shell.exit == 0)
        try await terminal.wait(for: "shell: 0")
        try await Self.expectGivenBack(terminal, as: settings)
    }

    @Test("A program that was stopped without a warning draws its screen anew when it goes on")
    func stoppedHard() async throws {
        let (terminal, probe) = try await Self.startedProbe()
        probe.send(SIGSTOP)
        terminal.scribble("\u{1B}[Hsomebody else")
        try await terminal.wait(for: "somebody else")
        probe.send(SIGCONT)
        try await terminal.wait("its own screen") { $0.lines[0] == "60 by 10" && $0.isAlternate && !$0.isCursorVisible }
        terminal.type("q")
        #expect(await probe.exit == 0)
    }

    @Test("A terminal that goes away ends the program")
    func hangUp() async throws {
        var terminal: PseudoTerminal? = try PseudoTerminal()
        let probe = try #require(
            try terminal?.run(BuiltProgram.url("terminal-probe"), environment: ["TERM": "xterm"]))
        try await terminal?.wait(for: "last row")
        terminal = nil
        #expect(await probe.exit == 128 + SIGHUP)
    }
}
