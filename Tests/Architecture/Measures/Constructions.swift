/// Where objects are built.
struct Constructions {
    /// Folders of what knows no feature. Of it, who needs one builds it: it belongs to its owner, as a value does.
    static let general: Set = ["Work", "Errors", "Store", "Debugging", "Elements"]

    /// Objects of features, and implementations of the model layer, built in containers or in the app, which makes the
    /// outermost container.
    let inContainers: [Place]
    /// The same anywhere else.
    let outside: [Place]
    /// What is general, anywhere else.
    let parts: [Place]
    /// Types of features that are named by what is general.
    let misplaced: [Place]

    init(_ module: Module, model: Module) {
        func isGeneral(_ file: SourceFile) -> Bool { file.folders.first.map(Self.general.contains) ?? false }
        func isComposition(_ file: SourceFile) -> Bool {
            file.folders.contains("Containers") || file.types.contains { $0.inherited.contains("KooberApp") }
        }
        func classes(_ files: [SourceFile]) -> Set<String> {
            Set(files.flatMap(\.types).filter(\.isReference).map(\.name))
        }
        let general = Module(name: module.name, files: module.files.filter(isGeneral))
        let features = Module(name: module.name, files: module.files.filter { !isGeneral($0) })
        let containers = Module(name: module.name, files: module.files.filter(isComposition))
        let elsewhere = Module(name: module.name, files: module.files.filter { !isComposition($0) })

        let replaceable = classes(features.files).union(model.implementations)
        let generalClasses = classes(general.files)
        inContainers = containers.places { $0.constructs(replaceable, at: $1) }
        outside = elsewhere.places { $0.constructs(replaceable, at: $1) }
        parts = elsewhere.places { $0.constructs(generalClasses, at: $1) }
        let names = Set(features.types.map(\.name))
        misplaced = general.places { tokens, index in
            names.contains(tokens[index].text) && tokens.text(at: index - 1) != "."
        }
    }
}

extension [Token] {
    /// `Name(`, `Name<…>(` or `Name.init(`, where no declaration is meant.
    func constructs(_ types: Set<String>, at index: Int) -> Bool {
        guard types.contains(self[index].text), text(at: index - 1) != ".",
            !["class", "struct", "enum", "actor", "protocol", "extension", "func", "case"].contains(text(at: index - 1))
        else { return false }
        switch text(at: index + 1) {
        case "(": return true
        case ".": return text(at: index + 2) == "init"
        case "<": return text(at: end(ofArgumentsAt: index + 1)) == "("
        default: return false
        }
    }

    /// The index behind the generic arguments that begin there.
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
