/// What several threads or owners could reach.
struct SharedState {
    /// Variables that belong to no object: of files and of types.
    let mutableGlobals: [Place]
    /// Promises that the compiler does not check.
    let unchecked: [Place]
    let locks: [Place]

    init(_ module: Module) {
        mutableGlobals = module.files.flatMap { file in
            (file.globals + file.allTypes.flatMap { $0.members.filter(\.isStatic) }).filter(\.isVariable).map {
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
