/// State that several threads or owners could reach.
struct SharedState {
    let mutableGlobals: [Place]
    /// Claims of safety that the compiler does not check.
    let unchecked: [Place]
    let locks: [Place]

    init(_ module: Module) {
        mutableGlobals = module.files.flatMap { file in
            // Each task has its own value of a task-local variable.
            (file.globals + file.allTypes.flatMap { $0.members.filter(\.isStatic) })
                .filter { $0.isVariable && !$0.modifiers.contains("@TaskLocal") }
                .map { module.place($0.name, line: $0.line, in: file) }
        }
        unchecked = module.places { tokens, index in
            tokens[index].text == "unchecked"
                || (tokens[index].text == "unsafe" && tokens.text(at: index - 2) == "nonisolated")
        }
        let kinds: Set = ["Mutex", "NSLock", "NSRecursiveLock", "OSAllocatedUnfairLock", "DispatchSemaphore"]
        locks = module.places { tokens, index in
            kinds.contains(tokens[index].text) && ["(", "<"].contains(tokens.text(at: index + 1))
        }
    }
}

/// Code repeated in two modules, or in two files of one: runs of equal tokens. Imports do not count.
struct Duplication {
    /// The length of a run that is hardly equal by chance.
    static let length = 40
    /// The length of about two lines, as of a check of input. Declarations that a protocol demands are as long.
    static let shortLength = 20

    /// The number of tokens in such runs.
    let repeated: Int
    let tokens: Int

    /// - Parameter others: may contain the module itself, whose other files are compared then.
    init(of module: Module, in others: [Module], length: Int = length) {
        var files: [ArraySlice<String>: Set<String>] = [:]
        for other in others {
            for file in other.files {
                for run in file.runs(length) { files[run, default: []].insert(other.name + "/" + file.path) }
            }
        }
        var (repeated, tokens) = (0, 0)
        for file in module.files {
            var covered: Set<Int> = []
            for run in file.runs(length)
            where files[run, default: []].contains(where: { $0 != module.name + "/" + file.path }) {
                covered.formUnion(run.indices)
            }
            tokens += file.comparedWords.count
            repeated += covered.count
        }
        (self.repeated, self.tokens) = (repeated, tokens)
    }

    var percent: Double { tokens == 0 ? 0 : 100 * Double(repeated) / Double(tokens) }
}

extension SourceFile {
    fileprivate var comparedWords: [String] {
        tokens.indices.filter { tokens[$0].text != "import" && tokens.text(at: $0 - 1) != "import" }
            .map { tokens[$0].text }
    }

    /// All runs of this length, with their places among the compared words.
    fileprivate func runs(_ length: Int) -> [ArraySlice<String>] {
        let words = comparedWords
        return (0..<max(0, words.count - length + 1)).map { words[$0..<$0 + length] }
    }
}
