/// Where it is decided which implementation stands behind a protocol.
struct Choices {
    /// Where a store of the session is put behind its protocol.
    let dataStores: [Place]
    /// Where a coder of the session is.
    let coders: [Place]
    /// Conditions of the build, but those on the system.
    let flags: [Place]
    /// Enums that make something, so that a value selects what.
    let selections: [Place]

    init(_ modules: [Module]) {
        let all = Module(name: "", files: modules.flatMap(\.files))
        func implementations(of name: String) -> Set<String> {
            Set(all.inherited.filter { $0.value.contains(name) }.keys)
        }
        let stores = implementations(of: "UserSessionDataStore")
        let coders = implementations(of: "UserSessionCoding")
        dataStores = modules.flatMap { module in module.places { $0.constructs(stores, at: $1) } }
        self.coders = modules.flatMap { module in module.places { $0.constructs(coders, at: $1) } }
        flags = modules.flatMap { module in
            module.places { tokens, index in
                let text = tokens[index].text
                return text.contains("_") && text.contains(where: \.isUppercase) && text == text.uppercased()
            }
        }
        selections = modules.flatMap { module in
            module.files.flatMap { file in
                file.types.filter { $0.kind == .enum }.flatMap { type in
                    type.members.filter { $0.keyword == "func" && !$0.isStatic && $0.name.hasPrefix("make") }.map {
                        Place(module: module.name, path: file.path, line: $0.line, what: type.name + "." + $0.name)
                    }
                }
            }
        }
    }
}
