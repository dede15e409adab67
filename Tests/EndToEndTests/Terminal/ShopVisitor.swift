import Foundation
import PseudoTerminal

/// Somebody in the shop, at a terminal of their own.
struct ShopVisitor: Sendable {
    let terminal: PseudoTerminal
    let program: TerminalProgram
    private let folder: TemporaryFolder

    /// - Parameter folder: where the session is kept; another visitor's goes on with theirs.
    init(at server: URL, columns: Int = 80, rows: Int = 24, folder: TemporaryFolder? = nil) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        terminal = try PseudoTerminal(columns: columns, rows: rows)
        program = try terminal.run(
            BuiltProgram.url("pouch"), ["shop"],
            environment: [
                "POUCH_SERVER": server.absoluteString, "XDG_STATE_HOME": folder.url.path, "TERM": "xterm-256color",
                "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "TZ": "UTC",
            ])
    }

    @discardableResult
    func see(_ text: String) async throws -> [String] {
        try await terminal.wait(for: text)
    }
}
