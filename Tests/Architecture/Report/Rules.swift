/// What must not be found anywhere.
struct Rules {
    /// By rule; empty where none is broken.
    let violations: [(rule: String, places: [Place])]

    init(_ koober: Koober) {
        self.init(
            architectures: koober.architectures, kit: koober.kit, others: [koober.screens, koober.client],
            wire: koober.wire)
    }

    /// - Parameter others: modules that must not have shared state, and import no architecture.
    init(architectures: [Module], kit: Module, others: [Module] = [], wire: [Module]) {
        let names = architectures.map(\.name)
        func references(_ modules: [Module]) -> [References] {
            modules.map { References($0, siblings: names, model: kit, wire: wire) }
        }
        let constructions = architectures.map { Constructions($0, model: kit) }
        let found = [
            ("V2: objects of features are built in containers alone", constructions.flatMap(\.outside)),
            (
                "V3: no variable is global or static",
                (architectures + [kit] + others).flatMap { SharedState($0).mutableGlobals }
            ),
            ("V4: what is general knows no feature", constructions.flatMap(\.misplaced)),
            (
                "V5: no architecture names an implementation of the model layer",
                references(architectures).flatMap(\.implementations)
            ),
            (
                "V6: no architecture is imported by another, or by what they share",
                references(architectures + [kit] + others).flatMap(\.siblingImports)
            ),
            ("V6: no feature names another", architectures.flatMap { Features($0).crossings }),
            (
                "A1: no type of the wire stands above the remote API",
                references(architectures + [kit]).flatMap(\.wireTypes)
            ),
        ]
        violations = found.filter { !$0.1.isEmpty }.map { (rule: $0.0, places: $0.1) }
    }
}
