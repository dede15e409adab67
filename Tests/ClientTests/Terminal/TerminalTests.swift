import Foundation
import PseudoTerminal
import Testing

/// A program at a pseudo-terminal, which has to leave the terminal as it was.
@Suite(.timeLimit(.minutes(5)))
struct TerminalTests {
    /// The text on the terminal before the program draws.
    private static let shell = "before"
    /// Those of a new terminal.
    private let settings: LineSettings

    init() throws { settings = try PseudoTerminal().settings }

    private static func startedProbe(
        columns: Int = 60, rows: Int = 10, environment: [String: String] = [:]
    ) async throws -> (PseudoTerminal, TerminalProgram) {
        let terminal = try PseudoTerminal(columns: columns, rows: rows)
        // A crash ends the program at once, without a report, even one of the Thread Sanitizer.
        let standard = ["TERM": "xterm-256color", "SWIFT_BACKTRACE": "enable=no", "TSAN_OPTIONS": "handle_segv=0"]
        let probe = try terminal.run(
            BuiltProgram.url("terminal-probe"), environment: standard.merging(environment) { $1 })
        try await terminal.wait(for: "last row")
        return (terminal, probe)
    }

    /// Expects the shell's screen, with its cursor, modes and line settings.
    private static func expectRestored(
        _ terminal: PseudoTerminal, as before: LineSettings, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await terminal.wait("the shell's screen") { !$0.isAlternate && $0.isCursorVisible }
        let screen = terminal.screen
        #expect(screen.lines.first == shell, sourceLocation: sourceLocation)
        #expect(screen.isWrapping && !screen.isBracketingPastes, sourceLocation: sourceLocation)
        #expect(screen.unknown.isEmpty, sourceLocation: sourceLocation)
        #expect(terminal.settings == before, sourceLocation: sourceLocation)
    }

    @Test func `a program draws on the alternate screen, gets keys at once, and restores the terminal`() async throws {
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
        try await Self.expectRestored(terminal, as: settings)
        try await terminal.wait("its last line") { $0.lines[1] == "ended: stopped" }
    }

    @Test func `Ctrl-C is a key, and ends the program in the usual way`() async throws {
        let (terminal, probe) = try await Self.startedProbe()
        terminal.press(.interrupt)
        #expect(await probe.exit == 0)
        try await Self.expectRestored(terminal, as: settings)
        try await terminal.wait("its last line") { $0.lines[1] == "ended: interrupted" }
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT])
    func `the terminal is restored after a signal that ends the program`(signal: Int32) async throws {
        let (terminal, probe) = try await Self.startedProbe()
        probe.send(signal)
        #expect(await probe.exit == 128 + signal)
        try await Self.expectRestored(terminal, as: settings)
    }

    /// Keys that crash the probe, by a trap, an abort, a bad address or an exit, and its possible exit codes.
    private static let crashes: [(key: String, exits: [Int32])] = [
        ("T", [128 + SIGILL, 128 + SIGTRAP]), ("A", [128 + SIGABRT]), ("S", [128 + SIGSEGV]), ("E", [3]),
    ]

    @Test(arguments: crashes)
    func `the terminal is restored after a crash`(key: String, exits: [Int32]) async throws {
        let (terminal, probe) = try await Self.startedProbe()
        terminal.type(key)
        #expect(exits.contains(await probe.exit))
        try await Self.expectRestored(terminal, as: settings)
    }

    @Test func `the size follows the window, and a window that is too small shows a message`() async throws {
        let (terminal, probe) = try await Self.startedProbe()
        terminal.resize(columns: 44, rows: 8)
        try await terminal.wait("the new size") { $0.lines[0] == "44 by 8" && $0.lines[7].hasSuffix("last row") }
        terminal.resize(columns: 19, rows: 8)
        try await terminal.wait("the message") { $0.lines[0] == "Window too small:" && !$0.text.contains("last row") }
        terminal.resize(columns: 60, rows: 10)
        try await terminal.wait(for: "60 by 10")
        terminal.type("q")
        #expect(await probe.exit == 0)
    }

    @Test func `NO_COLOR turns the colours off`() async throws {
        let (colorful, first) = try await Self.startedProbe()
        #expect(colorful.screen.style(of: "keys:") == [32])
        let (plain, second) = try await Self.startedProbe(environment: ["NO_COLOR": "1"])
        #expect(plain.screen.style(of: "keys:") == [])
        for (terminal, probe) in [(colorful, first), (plain, second)] {
            terminal.type("q")
            #expect(await probe.exit == 0)
        }
    }

    @Test(arguments: ["dumb", ""])
    func `a terminal that cannot place the cursor is left alone`(term: String) async throws {
        let terminal = try PseudoTerminal()
        #expect(try await terminal.run(BuiltProgram.url("terminal-probe"), environment: ["TERM": term]).exit == 1)
        try await terminal.wait(for: "error: cannotDraw")
        #expect(!terminal.screen.isAlternate)
    }

    @Test func `Ctrl-Z returns to the shell, and fg redraws the program`() async throws {
        let terminal = try PseudoTerminal(columns: 60, rows: 10)
        let settings = terminal.settings
        let probe = BuiltProgram.url("terminal-probe").path
        // A shell with job control, which passes its terminal to the program and takes it back.
        let shell = try terminal.run(
            URL(filePath: "/bin/sh"),
            ["-c", "set -m; '\(probe)'; echo shell: $?; read line; fg; echo shell: $?"],
            environment: ["TERM": "xterm", "PATH": "/usr/bin:/bin"])
        try await terminal.wait(for: "last row")
        terminal.press(.suspend)
        try await terminal.wait(for: "shell: 148")
        try await Self.expectRestored(terminal, as: settings)
        terminal.type("\n")
        try await terminal.wait("the program") { $0.isAlternate && !$0.isCursorVisible && $0.text.contains("last row") }
        #expect(terminal.settings.isRaw)
        terminal.type("k")
        try await terminal.wait(for: "character(\"k\")")
        terminal.type("q")
        #expect(await shell.exit == 0)
        try await terminal.wait(for: "shell: 0")
        try await Self.expectRestored(terminal, as: settings)
    }

    @Test func `a program that was stopped by SIGSTOP redraws its screen when it continues`() async throws {
        let (terminal, probe) = try await Self.startedProbe()
        probe.send(SIGSTOP)
        terminal.scribble("\u{1B}[Hanother program")
        try await terminal.wait(for: "another program")
        probe.send(SIGCONT)
        try await terminal.wait("its own screen") { $0.lines[0] == "60 by 10" && $0.isAlternate && !$0.isCursorVisible }
        terminal.type("q")
        #expect(await probe.exit == 0)
    }

    @Test func `the program ends when its terminal is closed`() async throws {
        var terminal: PseudoTerminal? = try PseudoTerminal()
        let probe = try #require(try terminal?.run(BuiltProgram.url("terminal-probe"), environment: ["TERM": "xterm"]))
        try await terminal?.wait(for: "last row")
        terminal = nil
        #expect(await probe.exit == 128 + SIGHUP)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct HiddenLineTests {
    /// A program that asks for a line, with its terminal and the settings before it.
    private func asking() async throws -> (PseudoTerminal, TerminalProgram, LineSettings) {
        let terminal = try PseudoTerminal(columns: 40, rows: 4)
        let settings = terminal.settings
        // A dumb terminal is enough, since nothing is drawn.
        let probe = try terminal.run(
            BuiltProgram.url("terminal-probe"), ["hidden"],
            environment: ["TERM": "dumb", "SWIFT_BACKTRACE": "enable=no"])
        try await terminal.wait(for: "Password:")
        return (terminal, probe, settings)
    }

    @Test func `a line is read without echo`() async throws {
        let (terminal, probe, settings) = try await asking()
        terminal.type("secrex\u{7F}t\n")
        #expect(await probe.exit == 0)
        try await terminal.wait(for: "6 characters")
        #expect(
            terminal.screen.lines.prefix(3).map { $0.trimmingCharacters(in: .whitespaces) } == [
                "before", "Password:", "6 characters",
            ])
        #expect(terminal.settings == settings)
    }

    @Test(arguments: ["ab\u{3}", "\u{4}"])
    func `Ctrl-C gives up, and so does Ctrl-D on an empty line`(keys: String) async throws {
        let (terminal, probe, settings) = try await asking()
        terminal.type(keys)
        #expect(await probe.exit == 0)
        try await terminal.wait(for: "given up")
        #expect(terminal.settings == settings)
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `a signal that ends the program during the question restores the echo`(_ signal: Int32) async throws {
        let (terminal, probe, settings) = try await asking()
        #expect(terminal.settings != settings)
        probe.send(signal)
        #expect(await probe.exit == 128 + signal)
        #expect(terminal.settings == settings)
    }
}
