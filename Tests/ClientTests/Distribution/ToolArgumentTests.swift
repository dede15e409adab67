import Testing
import ToolArguments

struct ToolArgumentTests {
    private func arguments(_ line: String) throws(ToolArguments.Refusal) -> ToolArguments {
        try ToolArguments(
            line.split(separator: " ").map(String.init), flags: ["--rules"], options: ["--out"], words: 1...2)
    }

    @Test func `options and words are found in any order`() throws {
        let arguments = try arguments("20 --rules --out folder 7")
        #expect(arguments.words == ["20", "7"])
        #expect(try arguments.numbers() == [20, 7])
        #expect(arguments.has("--rules") && arguments.value("--out") == "folder")
    }

    /// A tool that ignores a misspelt option starts work that takes hours.
    @Test(arguments: [
        ("--rule 1", "There is no option --rule."), ("-r 1", "There is no option -r."),
        ("--out", "--out needs a value."),
        ("1 2 3", "3 is one word too many."), ("", "A word is missing."), ("--rules", "A word is missing."),
    ])
    func `what a tool does not know is refused`(_ line: String, _ text: String) {
        #expect(throws: ToolArguments.Refusal(text: text)) { try arguments(line) }
    }

    @Test func `a word that should be a number is refused`() throws {
        let arguments = try arguments("20 many")
        #expect(throws: ToolArguments.Refusal(text: "many is not a whole number.")) { try arguments.numbers() }
        #expect(throws: ToolArguments.Refusal(text: "many is one word too many.")) { try arguments.numbers(atMost: 1) }
    }
}
