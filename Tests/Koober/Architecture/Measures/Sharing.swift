/// State that several threads or owners could reach.
struct SharedState {
    /// Global and static variables.
    let mutableGlobals: [Place]
    /// Claims of safety that the compiler does not check.
    let unchecked: [Place]
    let locks: [Place]

    init(_ module: Module) {
        mutableGlobals = module.files.flatMap { file in
            // Each task has its own value of a task-local variable.
            (file.globals + file.allTypes.flatMap { $0.members.filter(\.isStatic) }).filter {
                $0.isVariable && !$0.modifiers.contains("@TaskLocal")
            }.map {
                Place(module: module.name, path: file.path, line: $0.line, what: $0.name)
            }
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
    /// The files with repeated tokens, most first.
    let files: [(path: String, repeated: Int)]

    /// - Parameter others: may contain the module itself, whose other files are compared then.
    init(of module: Module, in others: [Module], length: Int = length) {
        var runs: [[String]: Set<String>] = [:]
        for other in others {
            for file in other.files {
                let words = file.comparedWords
                for start in words.runStarts(length) {
                    runs[Array(words[start..<start + length]), default: []].insert(other.name + "/" + file.path)
                }
            }
        }
        var (repeated, tokens) = (0, 0)
        var files: [(String, Int)] = []
        for file in module.files {
            let words = file.comparedWords
            let name = module.name + "/" + file.path
            var covered: Set<Int> = []
            for start in words.runStarts(length) {
                let found = runs[Array(words[start..<start + length])] ?? []
                if found.contains(where: { $0 != name }) { covered.formUnion(start..<start + length) }
            }
            tokens += words.count
            repeated += covered.count
            if !covered.isEmpty { files.append((file.path, covered.count)) }
        }
        (self.repeated, self.tokens) = (repeated, tokens)
        self.files = files.sorted { $0.1 > $1.1 }
    }

    var percent: Double { tokens == 0 ? 0 : 100 * Double(repeated) / Double(tokens) }
}

extension SourceFile {
    fileprivate var comparedWords: [String] {
        tokens.indices.filter { index in
            tokens[index].text != "import" && tokens.text(at: index - 1) != "import"
        }.map { tokens[$0].text }
    }
}

extension [String] {
    fileprivate func runStarts(_ length: Int) -> Range<Int> { 0..<Swift.max(0, count - length + 1) }
}
