import Foundation
import PseudoTerminal
import ToolArguments

/// Takes the pictures of the documentation.
@main
struct Pictures {
    let server: String
    let programs: URL
    /// For the files that the programs store.
    let home: URL

    static func main() async {
        let arguments = ToolArguments.read(
            help: """
                usage: POUCH_SERVER=http://… pictures FOLDER-OF-PROGRAMS SHOP-FOLDER KOOBER-FOLDER

                Runs `pouch shop` and `koober` at a pseudo-terminal against the server in POUCH_SERVER, which sells the demo,
                and writes their screens as SVG into a folder for each. Writes nothing and exits with 1 if a program does not show what it should
                within 30 seconds.
                """, words: 3...3
        ).words
        guard let server = ProcessInfo.processInfo.environment["POUCH_SERVER"] else {
            fail("POUCH_SERVER must have the address of a server. `pictures --help` shows what there is.", 64)
        }
        let files = FileManager.default
        let home = files.temporaryDirectory.appending(path: "pouch-pictures-\(UUID().uuidString)")
        let pictures = Pictures(server: server, programs: URL(filePath: arguments[0]), home: home)
        do {
            try files.createDirectory(at: home, withIntermediateDirectories: true)
            defer { try? files.removeItem(at: home) }
            let taken = [try await pictures.shop(), try await pictures.ride()]
            for (folder, screens) in zip(arguments.dropFirst(), taken) {
                let folder = URL(filePath: folder)
                try files.createDirectory(at: folder, withIntermediateDirectories: true)
                for (name, svg) in screens { try Data(svg.utf8).write(to: folder.appending(path: name + ".svg")) }
            }
        } catch {
            fail("The pictures cannot be taken: \(error)", 1)
        }
    }

    private static func fail(_ message: String, _ code: Int32) -> Never {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(code)
    }

    private func shop() async throws -> [(name: String, svg: String)] {
        let shop = try Visit(self, "pouch", ["shop"], columns: 80, rows: 24)
        try await shop.see("‹ 1 of 5 ›", "Cardigans")
        try await shop.see("› Samphire Cardigan", after: .down, "cardigan", .enter)
        try await shop.see("› Sort by", after: "f")
        // Unlike relevance, prices are in the same order each time.
        let catalog = try await shop.see(
            "[price, low to high]", "119.00 EUR", "134.00 EUR", "138.00 EUR", "212.00 EUR", after: .left, .left, .left)
        try await shop.see("› Samphire Cardigan", after: "f")
        try await shop.see("› Colour", after: .enter)
        let product = try await shop.see(
            "Cart 1", "The cart now contains 1 item.", after: .right, .down, .right, .right, "+")
        try await shop.leave()
        return [("shop-catalog", catalog), ("shop-product", product)]
    }

    private func ride() async throws -> [(name: String, svg: String)] {
        let koober = try Visit(self, "koober", ["--session-store", "memory"], columns: 100, rows: 22)
        try await koober.see("[ Sign in ]")
        try await koober.see("› E-mail", "Password", after: .enter)
        try await koober.see("[ Where to? ]", after: "johnny@gmail.com", .down, "password", .enter)
        try await koober.see("Martin Place", after: .enter)
        let places = try await koober.see("beach", "Balmoral Beach", "Bondi Beach", "Palm Beach", after: "beach")
        try await koober.see("To Bondi Beach", "Kangaroo", "EUR", after: .enter, .down, .enter)
        let options = try await koober.see("› [ Ride by Kangaroo", after: .down, .down, .enter)
        try await koober.leave()
        return [("koober-places", places), ("koober-options", options)]
    }
}

/// A text that a user types, or a key.
private struct Input: ExpressibleByStringLiteral {
    let text: String

    init(stringLiteral text: String) { self.text = text }
    private init(_ key: TypedKey) { text = key.rawValue }

    static let (left, right) = (Input(.left), Input(.right))
    static let (down, enter) = (Input(.down), Input(.enter))
}

/// A program at a terminal.
private struct Visit {
    /// The characters of the spinner.
    private static let spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"

    private let terminal: PseudoTerminal
    private let program: TerminalProgram
    private let title: String

    init(_ pictures: Pictures, _ name: String, _ arguments: [String], columns: Int, rows: Int) throws {
        title = ([name] + arguments.prefix { !$0.hasPrefix("-") }).joined(separator: " ")
        let file = pictures.programs.appending(path: name)
        guard FileManager.default.isExecutableFile(atPath: file.path) else {
            throw NoPicture(description: "there is no program \(file.path)")
        }
        terminal = try PseudoTerminal(columns: columns, rows: rows)
        program = try terminal.run(
            file, arguments + ["--server", pictures.server],
            environment: ["TERM": "xterm-256color", "HOME": pictures.home.path, "LANG": "C.UTF-8", "TZ": "UTC"])
    }

    /// Waits until the screen shows the texts in this order and no spinner, since a screen drops actions during an
    /// activity.
    ///
    /// - Returns: The picture of the screen.
    @discardableResult
    func see(_ texts: String..., after inputs: Input...) async throws -> String {
        for input in inputs { terminal.type(input.text) }
        try await terminal.wait(texts.map { "“\($0)”" }.joined(separator: ", then ")) { screen in
            var rest = screen.text[...]
            guard !rest.contains(where: Self.spinner.contains) else { return false }
            return texts.allSatisfy { text in
                guard let found = rest.range(of: text) else { return false }
                rest = rest[found.upperBound...]
                return true
            }
        }
        return ScreenPicture(terminal.screen, title: title).svg
    }

    /// Presses Ctrl-C, and waits for the end of the program. Kills it after 30 seconds, the limit of every step.
    func leave() async throws {
        terminal.press(.interrupt)
        try await terminal.wait("the screen of the shell") { !$0.isAlternate }
        let bound = Task { [program] in
            try await Task.sleep(for: .seconds(30))
            program.send(SIGKILL)
        }
        defer { bound.cancel() }
        guard await program.exit != 128 + SIGKILL else {
            throw NoPicture(description: "\(title) did not end after Ctrl-C")
        }
    }
}

private struct NoPicture: Error, CustomStringConvertible { let description: String }
