/// Variables of objects that another file can set.
struct SettableState {
    let places: [Place]
    /// All variables that are stored in objects.
    let variables: Int

    init(_ module: Module) {
        let found = module.files.flatMap { file in
            file.allTypes.filter(\.isReference).flatMap(\.members).filter { $0.isVariable && !$0.isStatic }.map {
                (member: $0, place: Place(module: module.name, path: file.path, line: $0.line, what: $0.name))
            }
        }
        variables = found.count
        places = found.filter { !$0.member.isSetPrivately }.map(\.place)
    }
}
