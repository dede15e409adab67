/// Where each implementation of the model layer's protocols is built: there another one takes its place.
struct Replacements {
    /// By the implementation's name; one that is built nowhere is left out.
    let places: [String: [Place]]

    /// - Parameter modules: where implementations are declared and built.
    init(in modules: [Module], of model: Module) {
        let protocols = model.protocols
        let types = Module(name: "", files: modules.flatMap(\.files)).inherited
        let implementations = Set(types.filter { !$0.value.isDisjoint(with: protocols) }.keys)
        let found = modules.flatMap { module in module.places { $0.constructs(implementations, at: $1) } }
        places = Dictionary(grouping: found, by: \.what)
    }
}
