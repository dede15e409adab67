import Foundation
import PseudoTerminal
import Testing

@Suite(.timeLimit(.minutes(2)))
struct HiddenLineTests {
    private func ask(_ terminal: PseudoTerminal) async throws -> TerminalProgram {
        // Dumb, since nothing is drawn.
        let probe = try terminal.run(
            BuiltProgram.url("terminal-probe"), ["hidden"],
            environment: ["TERM": "dumb", "SWIFT_BACKTRACE": "enable=no"])
        try await terminal.wait(for: "Password:")
        return probe
    }

    @Test("A line is read without being seen")
    func line() async throws {
        let terminal = try PseudoTerminal(columns: 40, rows: 4)
        let settings = terminal.settings
        let probe = try await ask(terminal)
        terminal.type("secrex\u{7F}t\n")
        #expect(await probe.exit == 0)
        try await terminal.wait(for: "6 characters")
        #expect(
            terminal.screen.lines.prefix(3).map { $0.trimmingCharacters(in: .whitespaces) } == [
                "before", "Password:", "6 characters",
            ])
        #expect(terminal.settings == settings)
    }

    @Test("Ctrl-C gives it up, and so does Ctrl-D before anything else", arguments: ["ab\u{3}", "\u{4}"])
    func givenUp(keys: String) async throws {
        let terminal = try PseudoTerminal()
        let settings = terminal.settings
        let probe = try await ask(terminal)
        terminal.type(keys)
        #expect(await probe.exit == 0)
        try await terminal.wait(for: "given up")
        #expect(terminal.settings == settings)
    }

    @Test("A signal that ends the program meanwhile leaves the terminal with its echo", arguments: [SIGTERM, SIGHUP])
    func signal(_ signal: Int32) async throws {
        let terminal = try PseudoTerminal()
        let settings = terminal.settings
        let probe = try await ask(terminal)
        #expect(terminal.settings != settings)
        probe.send(signal)
        #expect(await probe.exit == 128 + signal)
        #expect(terminal.settings == settings)
    }
}
