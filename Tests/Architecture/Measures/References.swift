/// What a module names of others.
struct References {
    /// Imports of modules that stand beside it.
    let siblingImports: [Place]
    /// Implementations of the model layer's protocols, where only the protocols should be named.
    let implementations: [Place]
    /// Types of a server's answers, and imports of their modules.
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
