import KooberScreens
import PouchEntities
import PouchTerminal

/// A list of intentions, one per line.
///
///     sign-in johnny@gmail.com "pass word"   # a comment
///     where-to
///
/// `IntentionCommand.all` lists the intentions. A word with spaces is in quotation marks, where a backslash escapes the
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
        guard let command = IntentionCommand.all.first(where: { $0.name == name }) else {
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
