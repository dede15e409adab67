/// The places that build objects.
struct Constructions {
    /// The folders of general code, which knows no feature. Its objects belong to their owners like values, so that any
    /// object may build them.
    static let general: Set = ["Work", "Errors", "Store", "Debugging", "Elements"]

    /// Objects of features and implementations of the model layer, built in containers or in the app object, which
    /// makes the outermost container.
    let inContainers: [Place]
    /// The same, built anywhere else.
    let outside: [Place]
    /// Objects of general code, built anywhere else.
    let parts: [Place]
    /// Types of features that general code names.
    let misplaced: [Place]

    init(_ module: Module, model: Module) {
        func isGeneral(_ file: SourceFile) -> Bool { file.folders.first.map(Self.general.contains) ?? false }
        func isComposition(_ file: SourceFile) -> Bool {
            file.folders.contains("Containers") || file.types.contains { $0.inherited.contains("KooberApp") }
        }
        func part(_ isIncluded: (SourceFile) -> Bool) -> Module {
            Module(name: module.name, files: module.files.filter(isIncluded))
        }
        func classes(_ files: [SourceFile]) -> Set<String> {
            // A class that no other file can name is a part of the object that builds it.
            Set(files.flatMap(\.types).filter { $0.isReference && !$0.modifiers.contains("private") }.map(\.name))
        }
        let (general, features) = (part(isGeneral), part { !isGeneral($0) })
        let elsewhere = part { !isComposition($0) }
        let replaceable = classes(features.files).union(model.implementations)
        let generalClasses = classes(general.files)
        inContainers = part(isComposition).places { $0.constructs(replaceable, at: $1) }
        outside = elsewhere.places { $0.constructs(replaceable, at: $1) }
        parts = elsewhere.places { $0.constructs(generalClasses, at: $1) }
        let names = Set(features.types.map(\.name))
        misplaced = general.places { $0.names(names, at: $1) }
    }
}

extension [Token] {
    /// Whether the token is one of these types, and not a member with its name.
    func names(_ types: Set<String>, at index: Int) -> Bool {
        types.contains(self[index].text) && text(at: index - 1) != "."
    }

    /// Whether the token starts a call: `Name(`, `Name<…>(` or `Name.init(`. Declarations do not count.
    func constructs(_ types: Set<String>, at index: Int) -> Bool {
        guard names(types, at: index),
            !["class", "struct", "enum", "actor", "protocol", "extension", "func", "case"].contains(text(at: index - 1))
        else { return false }
        switch text(at: index + 1) {
        case "(": return true
        case ".": return text(at: index + 2) == "init"
        case "<": return text(at: end(ofArgumentsAt: index + 1)) == "("
        default: return false
        }
    }

    /// The index after the generic arguments that start at `index`.
    private func end(ofArgumentsAt index: Int) -> Int {
        var (depth, position) = (0, index)
        repeat {
            if text(at: position) == "<" { depth += 1 }
            if text(at: position) == ">" { depth -= 1 }
            position += 1
        } while depth > 0 && position < count
        return position
    }
}

/// The variables of objects that another file can set.
struct SettableState {
    let places: [Place]
    /// The number of all stored variables of objects.
    let variables: Int

    init(_ module: Module) {
        let found = module.files.flatMap { file in
            file.allTypes.filter(\.isReference).flatMap(\.members).filter { $0.isVariable && !$0.isStatic }
                .map { (member: $0, place: module.place($0.name, line: $0.line, in: file)) }
        }
        variables = found.count
        places = found.filter { !$0.member.isSetPrivately }.map(\.place)
    }
}

/// The classes and actors with variables.
struct StateOwners {
    let places: [Place]
    /// Those that no test file names.
    let untested: [Place]

    init(_ module: Module, tests: Module) {
        let named = tests.files.reduce(into: Set<String>()) { $0.formUnion($1.words) }
        places = module.files.flatMap { file in
            file.allTypes.filter { $0.isReference && $0.members.contains { $0.isVariable && !$0.isStatic } }
                .map { module.place($0.name, line: $0.lines.lowerBound, in: file) }
        }
        untested = places.filter { !named.contains($0.what) }
    }
}

/// The test files, and those that use a network or a disk.
struct UnitTests {
    static let outside: Set = [
        "URLSession", "URLSessionTransport", "FileManager", "FileHandle", "FileSessionStore", "temporaryDirectory",
        "Process", "NIOCore", "NIOPosix", "NIOSSL", "GRDB", "SQLiteStore", "FoundationNetworking", "AsyncHTTPClient",
        "socket",
    ]

    let files: Int
    let touching: [Place]

    init(_ modules: [Module]) {
        files = modules.reduce(0) { $0 + $1.files.count }
        touching = modules.flatMap { module in
            module.files.compactMap { file in
                let token = file.tokens.first { Self.outside.contains($0.text) }
                return token.map { module.place($0.text, line: $0.line, in: file) }
            }
        }
    }
}
