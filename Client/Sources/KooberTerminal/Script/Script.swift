import KooberScreens
import PouchTerminal

/// What somebody is to want, one thing after another.
///
/// One intention a line, as `ScriptCommand.all` lists them; words that have spaces in them stand in quotation marks, in which
/// a backslash makes the next character an ordinary one. Empty lines count for nothing, nor does what follows a `#` that
/// begins a word.
public struct Script: Sendable, Equatable {
    public struct Line: Sendable, Equatable {
        /// From 1.
        public let number: Int
        public let intention: Intention
        /// What it is called. Its parameters may be secret.
        let name: String
    }

    public let lines: [Line]

    /// - Throws: with what is wrong in all of its lines.
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
        let words = try ScriptWords(line).words
        guard let name = words.first else { return nil }
        guard let command = ScriptCommand.all.first(where: { $0.name == name }) else {
            throw ScriptProblem("There is no intention “\(StyledText(name).truncated(to: 40).plain)”.")
        }
        let values = command.isText ? [words.dropFirst().joined(separator: " ")] : Array(words.dropFirst())
        guard values.count == command.parameters.count else {
            let wanted = command.parameters.joined(separator: " ")
            throw ScriptProblem("\(name) takes \(wanted.isEmpty ? "nothing else" : wanted).")
        }
        return (name, command.intention(values))
    }
}

/// Lines of a script that say nothing.
public struct ScriptError: Error, Sendable, Equatable {
    public struct Problem: Sendable, Equatable {
        /// From 1.
        public let line: Int
        /// Without what the script has for a parameter, which may be secret.
        public let text: String
    }

    public let problems: [Problem]
}

struct ScriptProblem: Error {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}
