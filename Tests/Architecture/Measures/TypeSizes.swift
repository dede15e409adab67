/// The largest types of a module, each with its extensions.
struct TypeSizes {
    let longest: (name: String, lines: Int)
    let widest: (name: String, publicMembers: Int)

    init(_ module: Module) {
        var sizes: [String: (lines: Int, members: Int)] = [:]
        let own = Set(module.types.map(\.name))
        for type in module.files.flatMap(\.types) where own.contains(type.name) {
            sizes[type.name, default: (0, 0)].lines += type.lines.count
            sizes[type.name, default: (0, 0)].members += type.publicMembers
        }
        let byName = sizes.sorted { $0.key < $1.key }
        let longest = byName.max { $0.value.lines < $1.value.lines }
        let widest = byName.max { $0.value.members < $1.value.members }
        self.longest = (longest?.key ?? "none", longest?.value.lines ?? 0)
        self.widest = (widest?.key ?? "none", widest?.value.members ?? 0)
    }
}
