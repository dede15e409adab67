import Foundation
import PseudoTerminal

/// Somebody in the shop, at a terminal of their own.
struct ShopVisitor: Sendable {
    let terminal: PseudoTerminal
    let program: TerminalProgram
    /// Where what this device keeps is.
    let folder: TemporaryFolder

    /// - Parameters:
    ///   - arguments: of `pouch shop`.
    ///   - folder: what is kept already, as by an earlier visit; nil for nothing.
    init(at server: URL, _ arguments: [String] = [], in folder: TemporaryFolder? = nil) throws {
        self.folder = try folder ?? TemporaryFolder()
        terminal = try PseudoTerminal()
        program = try terminal.run(
            BuiltProgram.url("pouch"), ["shop"] + arguments,
            environment: [
                "POUCH_SERVER": server.absoluteString, "XDG_STATE_HOME": self.folder.url.path,
                "XDG_CACHE_HOME": self.folder.file("cache").path, "TERM": "xterm-256color",
                "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "TZ": "UTC", "SWIFT_BACKTRACE": "enable=no",
            ])
    }

    /// What turns while something is under way.
    private static let spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"

    /// Waits until all of it is on the screen at once, and nothing is under way: what one wants meanwhile is not begun.
    func see(_ texts: String...) async throws {
        let wanted = texts.map { "“\($0)”" }.joined(separator: " and ")
        try await terminal.wait(wanted) { screen in
            let text = screen.text
            return texts.allSatisfy(text.contains) && !text.contains { Self.spinner.contains($0) }
        }
    }

    func type(_ text: String) { terminal.type(text) }

    func press(_ keys: TypedKey...) {
        for key in keys { terminal.type(key.rawValue) }
    }

    /// Writes into one field after another, from the one with the focus on.
    func fill(_ texts: [String]) {
        for text in texts {
            type(text)
            press(.down)
        }
    }
}
