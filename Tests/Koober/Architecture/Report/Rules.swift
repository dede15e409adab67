/// Rules that no module may break.
struct Rules {
    /// The places by broken rule.
    private(set) var violations: [(rule: String, places: [Place])] = []

    init(_ koober: Koober) {
        self.init(
            architectures: koober.architectures, kit: koober.kit, others: [koober.screens, koober.client],
            wire: koober.wire)
    }

    /// - Parameter others: modules that must not have shared state or import an architecture.
    init(architectures: [Module], kit: Module, others: [Module] = [], wire: [Module]) {
        let names = architectures.map(\.name)
        func references(_ module: Module) -> References { References(module, siblings: names, model: kit, wire: wire) }
        func isInContainer(_ place: Place) -> Bool { place.path.hasPrefix("Containers/") }
        let all = architectures + [kit] + others
        let built = architectures.map { Constructions($0, model: kit) }
        let named = architectures.flatMap { references($0).implementations }
        let namings = Dictionary(grouping: named.filter(isInContainer)) { $0.module + $0.what }.values
        let features = architectures.map { Features($0) }
        let chapters = architectures.map { Chapters($0) }
        let model = architectures.map { MisplacedModel($0, model: kit) }

        check("V2: objects of features are built only in containers", built.flatMap(\.outside))
        check("V3: no variable is global or static", all.flatMap { SharedState($0).mutableGlobals })
        check("V4: general code knows no feature", built.flatMap(\.misplaced))
        check("V4: the model layer alone checks input", model.flatMap(\.inputChecks))
        check("V4: texts for people are phrases, not literals", model.flatMap(\.texts))
        check(
            "V5: an implementation of the model layer is named in containers alone",
            named.filter { !isInContainer($0) })
        check("V5: a container names an implementation of the model layer once", namings.flatMap { $0.dropFirst() })
        check(
            "V6: no architecture is imported by another, or by a shared module",
            all.flatMap { references($0).siblingImports })
        check(
            "V6: a feature names no other, but for those that it contains and those that contain others",
            features.flatMap(\.crossings))
        check("V6: no module of a feature imports that of another", chapters.flatMap(\.moduleCrossings))
        check("V9: each feature has all kinds of objects of its architecture", features.flatMap(\.incomplete))
        check("Redux: views hold no state, and never read the store", chapters.flatMap(\.viewsWithState))
        check("MVVM: reading a property starts nothing and changes nothing", chapters.flatMap(\.actingReads))
        check("Redux, Elements: the session has one writer", chapters.flatMap(\.sessionWriters))
        check(
            "A1: no type of the wire is used above the remote API",
            (architectures + [kit]).flatMap { references($0).wireTypes })
    }

    private mutating func check(_ rule: String, _ places: [Place]) {
        if !places.isEmpty { violations.append((rule, places)) }
    }
}
