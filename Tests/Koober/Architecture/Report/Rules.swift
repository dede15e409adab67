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
        let named: [Place] = references(architectures).flatMap(\.implementations)
        let implementations: [Place] = named.filter { !$0.path.hasPrefix("Containers/") }
        let swaps: [Place] = Dictionary(grouping: named.filter { $0.path.hasPrefix("Containers/") }) {
            $0.module + $0.what
        }.values.flatMap { $0.dropFirst() }
        let imports: [Place] = references(all).flatMap(\.siblingImports)
        let features: [Features] = architectures.map { Features($0) }
        let crossings: [Place] = features.flatMap(\.crossings)
        let incomplete: [Place] = features.flatMap(\.incomplete)
        let chapters: [Chapters] = architectures.map { Chapters($0) }
        let moduleCrossings: [Place] = chapters.flatMap(\.moduleCrossings)
        let viewsWithState: [Place] = chapters.flatMap(\.viewsWithState)
        let actingReads: [Place] = chapters.flatMap(\.actingReads)
        let sessionWriters: [Place] = chapters.flatMap(\.sessionWriters)
        let model: [MisplacedModel] = architectures.map { MisplacedModel($0, model: kit) }
        let inputChecks: [Place] = model.flatMap(\.inputChecks)
        let texts: [Place] = model.flatMap(\.texts)
        let wireTypes: [Place] = references(architectures + [kit]).flatMap(\.wireTypes)
        // The annotations spare the type checker seconds.
        let found: [(String, [Place])] = [
            ("V2: objects of features are built only in containers", outside),
            ("V3: no variable is global or static", globals),
            ("V4: general code knows no feature", misplaced),
            ("V4: the model layer alone checks input", inputChecks),
            ("V4: texts for people are phrases, not literals", texts),
            ("V5: an implementation of the model layer is named in containers alone", implementations),
            ("V5: a container names an implementation of the model layer once", swaps),
            ("V6: no architecture is imported by another, or by a shared module", imports),
            ("V6: a feature names no other, but for those that it contains and those that contain others", crossings),
            ("V6: no module of a feature imports that of another", moduleCrossings),
            ("V9: each feature has all kinds of objects of its architecture", incomplete),
            ("Redux: views hold no state, and never read the store", viewsWithState),
            ("MVVM: reading a property starts nothing and changes nothing", actingReads),
            ("Redux, Elements: the session has one writer", sessionWriters),
            ("A1: no type of the wire is used above the remote API", wireTypes),
        ]
        violations = found.filter { !$0.1.isEmpty }.map { (rule: $0.0, places: $0.1) }
    }
}
