/// The files that a newcomer reads to understand one feature.
struct ReadingSet {
    /// The files of the feature.
    let own: [SourceFile]
    /// These, and the files that declare the types which they name.
    let direct: [SourceFile]
    /// The same repeated until no file is added.
    let whole: [SourceFile]

    init(feature: String, in module: Module, model: Module) {
        let files = module.files + model.files
        var declaring: [String: [Int]] = [:]
        for (index, file) in files.enumerated() {
            // An extension declares no type. Every feature extends `Reducers`, for example.
            for type in file.types where type.kind != .extension { declaring[type.name, default: []].append(index) }
        }
        func named(by index: Int) -> Set<Int> { Set(files[index].words.flatMap { declaring[$0] ?? [] }) }

        let start = Set(module.files.indices.filter { files[$0].shows(feature) })
        let next = start.union(start.flatMap(named))
        var (reached, open) = (next, next.subtracting(start))
        while !open.isEmpty {
            open = Set(open.flatMap(named)).subtracting(reached)
            reached.formUnion(open)
        }
        func sources(_ indices: Set<Int>) -> [SourceFile] { indices.sorted().map { files[$0] } }
        (own, direct, whole) = (sources(start), sources(next), sources(reached))
    }
}

extension SourceFile {
    /// Whether the file belongs to the feature, or declares a type whose name has its name.
    func shows(_ feature: String) -> Bool {
        guard !folders.contains("Containers") else { return false }
        return Features.feature(of: self) == feature
            || types.contains { $0.kind != .extension && $0.kind != .protocol && $0.name.contains(feature) }
    }
}

extension [SourceFile] { var lineCount: Int { reduce(0) { $0 + $1.lineCount } } }

/// The largest types of a module, each with its extensions.
struct TypeSizes {
    let longest: (name: String, lines: Int)
    let maxWidth: (name: String, publicMembers: Int)

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
        maxWidth = (widest?.key ?? "none", widest?.value.members ?? 0)
    }
}
