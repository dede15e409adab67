/// Objects whose state changes, and those of them that no test names.
struct StateOwners {
    /// Classes and actors with variables.
    let places: [Place]
    /// Those whose name stands in no file of the tests.
    let untested: [Place]

    init(_ module: Module, tests: Module) {
        let named = tests.files.reduce(into: Set<String>()) { $0.formUnion($1.words) }
        places = module.files.flatMap { file in
            file.allTypes.filter { type in
                type.isReference && type.members.contains { $0.isVariable && !$0.isStatic }
            }.map { Place(module: module.name, path: file.path, line: $0.lines.lowerBound, what: $0.name) }
        }
        untested = places.filter { !named.contains($0.what) }
    }
}
