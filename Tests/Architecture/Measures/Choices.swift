/// The places that choose the implementation of a protocol.
struct Choices {
    /// The trait without which a program has no commands. It chooses no implementation.
    static let program = "TerminalPrograms"

    /// The places that construct a session store.
    let dataStores: [Place]
    /// The places that construct a session coder.
    let coders: [Place]
    /// Build conditions, without those on the system and the trait of the program.
    let flags: [Place]
    /// Factory methods of enums, where a value chooses.
    let selections: [Place]

    init(_ modules: [Module]) {
        let all = Module(name: "", files: modules.flatMap(\.files))
        func implementations(of name: String) -> Set<String> {
            Set(all.inherited.filter { $0.value.contains(name) }.keys)
        }
        let stores = implementations(of: "UserSessionDataStore")
        let coders = implementations(of: "UserSessionCoding")
        dataStores = modules.flatMap { module in module.places { $0.constructs(stores, at: $1) } }
        self.coders = modules.flatMap { module in module.places { $0.constructs(coders, at: $1) } }
        flags = modules.flatMap { module in
            module.places { $0.isCondition(at: $1) && $0[$1].text != Self.program }
        }
        selections = modules.flatMap { module in
            module.files.flatMap { file in
                file.types.filter { $0.kind == .enum }.flatMap { type in
                    type.members.filter { $0.keyword == "func" && !$0.isStatic && $0.name.hasPrefix("make") }.map {
                        Place(module: module.name, path: file.path, line: $0.line, what: type.name + "." + $0.name)
                    }
                }
            }
        }
    }
}

extension [Token] {
    /// Whether the token is a condition of `#if` or `#elseif`, but not of the system like `os(Linux)` or
    /// `canImport(Security)`.
    fileprivate func isCondition(at index: Int) -> Bool {
        let start = self[..<index].lastIndex { $0.line < self[index].line }.map { $0 + 1 } ?? 0
        guard text(at: start) == "#", ["if", "elseif"].contains(text(at: start + 1)), index > start + 1 else {
            return false
        }
        let isArgument = text(at: index - 1) == "(" && index - 2 > start + 1 && self[index - 2].isWord
        return self[index].isWord && text(at: index + 1) != "(" && !isArgument
    }
}
