/// Rules that no module may break.
struct Rules {
    /// The places by broken rule.
    let violations: [(rule: String, places: [Place])]

    init(_ koober: Koober) {
        self.init(
            architectures: koober.architectures, kit: koober.kit, others: [koober.screens, koober.client],
            wire: koober.wire)
    }

    /// - Parameter others: modules that must not have shared state or import an architecture.
    init(architectures: [Module], kit: Module, others: [Module] = [], wire: [Module]) {
        let names = architectures.map(\.name)
        func references(_ modules: [Module]) -> [References] {
            modules.map { References($0, siblings: names, model: kit, wire: wire) }
        }
        let all: [Module] = architectures + [kit] + others
        let constructions: [Constructions] = architectures.map { Constructions($0, model: kit) }
        let outside: [Place] = constructions.flatMap(\.outside)
        let misplaced: [Place] = constructions.flatMap(\.misplaced)
        let globals: [Place] = all.flatMap { SharedState($0).mutableGlobals }
        let implementations: [Place] = references(architectures).flatMap(\.implementations)
        let imports: [Place] = references(all).flatMap(\.siblingImports)
        let crossings: [Place] = architectures.flatMap { Features($0).crossings }
        let wireTypes: [Place] = references(architectures + [kit]).flatMap(\.wireTypes)
        // The annotations spare the type checker seconds.
        let found: [(String, [Place])] = [
            ("V2: objects of features are built only in containers", outside),
            ("V3: no variable is global or static", globals),
            ("V4: general code knows no feature", misplaced),
            ("V5: no architecture names an implementation of the model layer", implementations),
            ("V6: no architecture is imported by another, or by a shared module", imports),
            ("V6: no feature names another", crossings),
            ("A1: no type of the wire is used above the remote API", wireTypes),
        ]
        violations = found.filter { !$0.1.isEmpty }.map { (rule: $0.0, places: $0.1) }
    }
}
