/// The words of one line of a script.
struct ScriptWords {
    private(set) var words: [String] = []

    init(_ line: Substring) throws(ScriptProblem) {
        var word: String?
        var quotation: Character?
        var rest = line[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\" where quotation != nil:
                guard let next = rest.popFirst() else { throw ScriptProblem("Nothing follows the backslash.") }
                word?.append(next)
            case quotation: quotation = nil
            case _ where quotation != nil: word?.append(character)
            case "\"", "'":
                quotation = character
                word = word ?? ""
            case "#" where word == nil: return
            case _ where character.isWhitespace:
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        guard quotation == nil else { throw ScriptProblem("A quotation mark is not closed.") }
        if let word { words.append(word) }
    }
}
