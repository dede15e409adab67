/// The names of other modules that a module uses.
struct References {
    /// Imports of other architectures.
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
        self.implementations = module.places { tokens, index in
            implementations.contains(tokens[index].text) && tokens.text(at: index - 1) != "."
        }
        self.wireTypes = module.places { tokens, index in
            let text = tokens[index].text
            return tokens.text(at: index - 1) == "import"
                ? wireNames.contains(text) : wireTypes.contains(text) && tokens.text(at: index - 1) != "."
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
        let found = modules.flatMap { module in module.places { $0.constructs(implementations, at: $1) } }
        places = Dictionary(grouping: found, by: \.what)
    }
}
