import KooberScreens
import PouchEntities
import PouchTerminal

/// A list of intentions, one per line.
///
///     sign-in johnny@gmail.com "pass word"   # a comment
///     where-to
///
/// `ScriptCommand.all` lists the intentions. A word with spaces is in quotation marks, where a backslash escapes the
/// next character. Empty lines and comments are ignored.
public struct Script: Sendable, Equatable {
    public struct Line: Sendable, Equatable {
        /// From 1.
        public let number: Int
        public let intention: Intention
        /// The name without the parameters, which may be secret.
        let name: String
    }

    public let lines: [Line]

    /// - Throws: an error with the problems of all lines.
    public init(_ text: String) throws(ScriptError) {
        var problems: [ScriptError.Problem] = []
        var lines: [Line] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            do throws(ScriptProblem) {
                guard let (name, intention) = try Self.intention(line) else { continue }
                lines.append(Line(number: index + 1, intention: intention, name: name))
            } catch {
                problems.append(ScriptError.Problem(line: index + 1, text: error.text))
            }
        }
        guard problems.isEmpty else { throw ScriptError(problems: problems) }
        self.lines = lines
    }

    private static func intention(_ line: Substring) throws(ScriptProblem) -> (String, Intention)? {
        let words = try words(of: line)
        guard let name = words.first else { return nil }
        guard let command = ScriptCommand.all.first(where: { $0.name == name }) else {
            throw ScriptProblem(text: "Unknown intention “\(StyledText(name).truncated(to: 40).plain)”.")
        }
        let values = command.isText ? [words.dropFirst().joined(separator: " ")] : Array(words.dropFirst())
        guard values.count == command.parameters.count else {
            let wanted = command.parameters.joined(separator: " ")
            throw ScriptProblem(text: "\(name) takes \(wanted.isEmpty ? "no parameters" : wanted).")
        }
        return (name, command.intention(values))
    }

    private static func words(of line: Substring) throws(ScriptProblem) -> [String] {
        var words: [String] = []
        var word: String?
        var quotation: Character?
        var rest = line[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\" where quotation != nil:
                guard let next = rest.popFirst() else { throw ScriptProblem(text: "Nothing follows the backslash.") }
                word?.append(next)
            case quotation: quotation = nil
            case _ where quotation != nil: word?.append(character)
            case "\"", "'":
                quotation = character
                word = word ?? ""
            case "#" where word == nil: return words
            case _ where character.isWhitespace:
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        guard quotation == nil else { throw ScriptProblem(text: "A quotation mark is not closed.") }
        return words + [word].compactMap { $0 }
    }
}

private struct ScriptProblem: Error {
    let text: String
}

/// The problems of a script that cannot be run.
public struct ScriptError: Error, Sendable, Equatable {
    public struct Problem: Sendable, Equatable {
        /// From 1.
        public let line: Int
        /// Does not quote parameters, which may be secret.
        public let text: String
    }

    public let problems: [Problem]
}

/// The spelling of an intention in a script.
public struct ScriptCommand: Sendable {
    let name: String
    /// The names of the words after the name, such as `EMAIL`.
    let parameters: [String]
    /// Whether the rest of the line is one parameter, which may be empty.
    let isText: Bool
    /// Receives as many words as there are parameters.
    let intention: @Sendable ([String]) -> Intention

    private init(
        _ name: String, _ parameters: [String] = [], isText: Bool = false,
        _ intention: @escaping @Sendable ([String]) -> Intention
    ) {
        self.name = name
        self.parameters = parameters
        self.isText = isText
        self.intention = intention
    }

    /// For example `sign-in EMAIL PASSWORD`.
    public var usage: String { ([name] + parameters).joined(separator: " ") }

    public static let all = [
        ScriptCommand("go-to-sign-in") { _ in .goToSignIn },
        ScriptCommand("go-to-sign-up") { _ in .goToSignUp },
        ScriptCommand("sign-in", ["EMAIL", "PASSWORD"]) { .signIn(email: $0[0], password: Secret($0[1])) },
        ScriptCommand("sign-up", ["NAME", "EMAIL", "MOBILE", "PASSWORD"]) {
            .signUp(name: $0[0], email: $0[1], mobileNumber: $0[2], password: Secret($0[3]))
        },
        ScriptCommand("where-to") { _ in .chooseDropoff },
        ScriptCommand("search", ["TEXT"], isText: true) { .searchDropoffs($0[0]) },
        ScriptCommand("choose", ["NAME"], isText: true) { .selectDropoff($0[0]) },
        ScriptCommand("cancel-where-to") { _ in .cancelDropoff },
        ScriptCommand("option", ["ID"]) { .selectRideOption($0[0]) },
        ScriptCommand("confirm") { _ in .confirmRide },
        ScriptCommand("cancel-ride") { _ in .cancelRide },
        ScriptCommand("new-ride") { _ in .startNewRide },
        ScriptCommand("profile") { _ in .showProfile },
        ScriptCommand("close-profile") { _ in .closeProfile },
        ScriptCommand("sign-out") { _ in .signOut },
        ScriptCommand("back") { _ in .goBack },
        ScriptCommand("ok") { _ in .acknowledgeError },
    ]
}
