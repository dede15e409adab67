/// What a newcomer reads to understand one screen: the files that its feature's folder names types of, and so on.
struct ReadingSet {
    /// The feature's own.
    let own: [SourceFile]
    /// And those that declare what they name.
    let direct: [SourceFile]
    /// And so on until nothing is added.
    let whole: [SourceFile]

    /// - Parameter feature: the folder.
    init(feature: String, in module: Module, model: Module) {
        let files = module.files + model.files
        var declaring: [String: [Int]] = [:]
        for (index, file) in files.enumerated() {
            for type in file.types { declaring[type.name, default: []].append(index) }
        }
        func named(by index: Int) -> Set<Int> { Set(files[index].words.flatMap { declaring[$0] ?? [] }) }

        let start = Set(module.files.indices.filter { files[$0].folders.contains(feature) })
        let next = start.union(start.flatMap(named))
        var (reached, open) = (next, next.subtracting(start))
        while !open.isEmpty {
            open = Set(open.flatMap(named)).subtracting(reached)
            reached.formUnion(open)
        }
        own = start.sorted().map { files[$0] }
        direct = next.sorted().map { files[$0] }
        whole = reached.sorted().map { files[$0] }
    }
}

extension [SourceFile] {
    var lineCount: Int { reduce(0) { $0 + $1.lineCount } }
}
