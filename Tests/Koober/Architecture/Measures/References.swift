/// The names of other modules that a module uses.
struct References {
    let siblingImports: [Place]
    /// Implementations of the model layer's protocols. Only the protocols should be named.
    let implementations: [Place]
    /// Types of the wire, and imports of their modules.
    let wireTypes: [Place]

    init(_ module: Module, siblings: [String], model: Module, wire: [Module]) {
        let own = Set(module.types.map(\.name))
        let implementations = module.name == model.name ? [] : model.implementations.subtracting(own)
        let wireNames = Set(wire.map(\.name))
        let wireTypes = Set(wire.flatMap(\.types).filter(\.isPublic).map(\.name)).subtracting(own)
            .subtracting(model.types.map(\.name))
        siblingImports = module.places { tokens, index in
            tokens.text(at: index - 1) == "import" && tokens[index].text != module.name
                && siblings.contains(tokens[index].text)
        }
        self.implementations = module.places { $0.names(implementations, at: $1) }
        self.wireTypes = module.places { tokens, index in
            tokens.text(at: index - 1) == "import"
                ? wireNames.contains(tokens[index].text) : tokens.names(wireTypes, at: index)
        }
    }
}

/// The places that build each implementation of the model layer's protocols: those to change for another one.
struct Replacements {
    /// By implementation, without those that are not built.
    let places: [String: [Place]]

    /// - Parameter modules: the modules that declare and build implementations.
    init(in modules: [Module], of model: Module) {
        let protocols = model.protocols
        let types = Module(name: "", files: modules.flatMap(\.files)).inherited
        let implementations = Set(types.filter { !$0.value.isDisjoint(with: protocols) }.keys)
        let found = modules.flatMap { $0.places { $0.constructs(implementations, at: $1) } }
        places = Dictionary(grouping: found, by: \.what)
    }
}

/// The places that choose the implementation of a protocol.
struct Choices {
    /// The trait without which a program has no commands. It chooses no implementation.
    static let program = "Program"

    let dataStores: [Place]
    let coders: [Place]
    /// Build conditions, without those on the system and the trait of the program.
    let flags: [Place]
    /// Factory methods of enums, where a value chooses.
    let selections: [Place]

    init(_ modules: [Module]) {
        let inherited = Module(name: "", files: modules.flatMap(\.files)).inherited
        func constructions(of name: String) -> [Place] {
            let types = Set(inherited.filter { $0.value.contains(name) }.keys)
            return modules.flatMap { $0.places { $0.constructs(types, at: $1) } }
        }
        dataStores = constructions(of: "UserSessionDataStore")
        coders = constructions(of: "UserSessionCoding")
        flags = modules.flatMap { $0.places { $0.isCondition(at: $1) && $0[$1].text != Self.program } }
        selections = modules.flatMap { module in
            module.files.flatMap { file in
                file.types.filter { $0.kind == .enum }.flatMap { type in
                    type.members.filter { $0.keyword == "func" && !$0.isStatic && $0.name.hasPrefix("make") }
                        .map { module.place(type.name + "." + $0.name, line: $0.line, in: file) }
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
        guard text(at: start) == "#", ["if", "elseif"].contains(text(at: start + 1)), index > start + 1
        else { return false }
        let isArgument = text(at: index - 1) == "(" && index - 2 > start + 1 && self[index - 2].isWord
        return self[index].isWord && text(at: index + 1) != "(" && !isArgument
    }
}
