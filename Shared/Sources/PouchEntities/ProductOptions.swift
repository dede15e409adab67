extension [ProductOption] {
    /// The options of variants: every name and every value that a variant has, and no others.
    ///
    /// - Parameters:
    ///   - variants: the choices of each variant.
    ///   - known: the order of the names and values; others follow.
    public init(of variants: [[String: String]], inOrderOf known: [ProductOption]) {
        let used = Set(variants.flatMap(\.keys))
        var listed: Set<String> = []
        var names = known.map(\.name).filter { used.contains($0) && listed.insert($0).inserted }
        names += used.subtracting(listed).sorted()
        self = names.map { name in
            let inUse = variants.compactMap { $0[name] }
            var seen: Set<String> = []
            let before = known.filter { $0.name == name }.flatMap(\.values).filter(Set(inUse).contains)
            return ProductOption(name: name, values: (before + inUse).filter { seen.insert($0).inserted })
        }
    }
}
