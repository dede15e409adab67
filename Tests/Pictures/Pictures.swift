import Foundation
import PseudoTerminal

/// Takes the pictures of the documentation: runs `pouch shop` and `koober` at a pseudo-terminal against a running server with the demo
/// shop, and writes their screens as SVG.
///
///     pictures SERVER FOLDER-OF-PROGRAMS OUTPUT-FOLDER
@main
struct Pictures {
    let server: String
    let programs: URL
    let output: URL

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4 else {
            FileHandle.standardError.write(Data("usage: pictures SERVER FOLDER-OF-PROGRAMS OUTPUT-FOLDER\n".utf8))
            exit(64)
        }
        let pictures = Pictures(
            server: arguments[1], programs: URL(filePath: arguments[2]), output: URL(filePath: arguments[3]))
        try FileManager.default.createDirectory(at: pictures.output, withIntermediateDirectories: true)
        try await pictures.takeShop()
        try await pictures.takeRide()
    }

    private func takeShop() async throws {
        let (terminal, shop) = try start("pouch", ["shop"])
        try await terminal.wait(for: "Cardigans")
        terminal.press(.down)
        terminal.type("cardigan")
        terminal.press(.enter)
        try await terminal.wait(for: "Samphire Cardigan")
        terminal.press(.enter)
        try await terminal.wait(for: "Size")
        terminal.press(.right, .down, .right, .right)
        terminal.type("+")
        try await terminal.wait(for: "Cart 1")
        try save(terminal, as: "pouch-shop", title: "pouch shop")
        terminal.press(.interrupt)
        _ = await shop.exit
    }

    private func takeRide() async throws {
        let (terminal, koober) = try start("koober", ["--architecture", "redux", "--session-store", "memory"])
        try await terminal.wait(for: "Sign in")
        terminal.press(.enter)
        try await terminal.wait(for: "Password")
        terminal.type("johnny@gmail.com")
        terminal.press(.down)
        terminal.type("password")
        terminal.press(.enter)
        try await terminal.wait(for: "Where to")
        terminal.press(.enter)
        try await terminal.wait(for: "Search")
        terminal.type("opera")
        try await terminal.wait(for: "Sydney Opera House")
        terminal.press(.down, .enter)
        try await terminal.wait(for: "Kangaroo")
        try save(terminal, as: "koober", title: "koober")
        terminal.press(.interrupt)
        _ = await koober.exit
    }

    private func start(_ program: String, _ arguments: [String]) throws -> (PseudoTerminal, TerminalProgram) {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let home = FileManager.default.temporaryDirectory.appending(path: "pouch-pictures-\(UUID().uuidString)")
        let started = try terminal.run(
            programs.appending(path: program), arguments + ["--server", server],
            environment: ["TERM": "xterm-256color", "HOME": home.path, "LANG": "C.UTF-8"])
        return (terminal, started)
    }

    private func save(_ terminal: PseudoTerminal, as name: String, title: String) throws {
        let picture = ScreenPicture(terminal.screen, title: title)
        try Data(picture.svg.utf8).write(to: output.appending(path: name + ".svg"))
    }
}
