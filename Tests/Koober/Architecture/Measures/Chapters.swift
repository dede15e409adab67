/// The demands of the chapter on an architecture, as far as sources show them.
struct Chapters {
    /// In views of Redux: stored variables other than child views, and reads of the store.
    let viewsWithState: [Place]
    /// In view models: computed properties that start work or change something.
    let actingReads: [Place]
    /// Writes of the session outside of the code that owns it.
    let sessionWriters: [Place]
    /// Imports of one feature's module in the folder of another.
    let moduleCrossings: [Place]

    init(_ module: Module) {
        viewsWithState = Self.viewsWithState(module)
        actingReads = module.placesInFiles { $0.isViewModel && $0.tokens.actsInGetter(at: $1) }
        let owners = Self.owners[module.name] ?? []
        sessionWriters = module.placesInFiles { file, index in
            let tokens = file.tokens
            return ["save", "delete"].contains(tokens[index].text) && tokens.text(at: index - 1) == "."
                && ["dataStore", "userSessionDataStore", "?"].contains(tokens.text(at: index - 2))
                && !owners.contains { file.path.hasSuffix($0 + ".swift") }
        }
        moduleCrossings = module.placesInFiles { file, index in
            guard file.tokens.text(at: index - 1) == "import", let folder = file.folders.first, folder != "Containers"
            else { return false }
            let name = file.tokens[index].text
            return name.hasPrefix(module.name) && ![module.name + folder, module.name + "Core"].contains(name)
        }
    }

    /// The files that may write the session. In MVVM the repository of KooberKit does.
    private static let owners: [String: Set<String>] = [
        "KooberRedux": ["Persistence"],
        // The use cases that start and end a session, and the renewal of its tokens.
        "KooberElements": ["Authentication", "Profile", "SignedIn", "AppContainer"],
    ]

    private static func viewsWithState(_ module: Module) -> [Place] {
        module.files.flatMap { file -> [Place] in
            let views = file.allTypes.filter { $0.inherited.contains("StateView") }
            let variables = views.flatMap(\.members).filter {
                $0.isVariable && !["child", "profile"].contains($0.name)
            }
            let reads = file.tokens.indices.filter { index in
                views.contains { $0.lines.contains(file.tokens[index].line) } && file.tokens[index].text == "store"
                    && file.tokens.text(at: index + 1) == "."
            }
            return variables.map { module.place($0.name, line: $0.line, in: file) }
                + reads.map { module.place("store", line: file.tokens[$0].line, in: file) }
        }
    }
}

extension SourceFile { fileprivate var isViewModel: Bool { allTypes.contains { $0.name.hasSuffix("ViewModel") } } }

extension [Token] {
    /// Whether the token starts a computed property whose getter awaits something, starts a task or assigns a property.
    fileprivate func actsInGetter(at index: Int) -> Bool {
        guard text(at: index - 1) == "var", self[index].isWord, text(at: index + 1) == ":" else { return false }
        var open = index + 2
        while let token = text(at: open), token != "{" {
            // A stored property, or one whose type spans another line.
            if token == "=" || self[open].line > self[index].line { return false }
            open += 1
        }
        guard !["didSet", "willSet", nil].contains(text(at: open + 1)) else { return false }
        let body = open + 1..<Swift.max(open + 1, end(ofGroupAt: open) - 1)
        return body.contains { position in
            ["await", "Task"].contains(self[position].text)
                || (text(at: position) == "run" && text(at: position + 1) == "(")
                || (self[position].line > self[Swift.max(position - 1, 0)].line && assigns(at: position))
                || (position == body.lowerBound && assigns(at: position))
        }
    }

    /// Whether a statement starts here that assigns something, such as `a.b = 1` or `count += 1`.
    private func assigns(at start: Int) -> Bool {
        var index = start
        guard self[index].isWord, !["let", "var", "if", "case", "return"].contains(self[index].text)
        else { return false }
        while text(at: index + 1) == ".", index + 2 < count { index += 2 }
        let next = text(at: index + 1)
        if next == "=" { return text(at: index + 2) != "=" }
        return ["+", "-"].contains(next) && text(at: index + 2) == "="
    }
}

/// Work of the model layer that is done elsewhere.
struct MisplacedModel {
    /// Checks and trimmings of the input of forms.
    let inputChecks: [Place]
    /// String literals with several words, which people would read.
    let texts: [Place]

    /// - Parameter model: declares the forms whose fields are checked.
    init(_ module: Module, model: Module) {
        let forms = model.files.filter { $0.concept == "AccountForms" }.flatMap(\.types)
        let fields = Set(forms.filter { $0.kind == .struct }.flatMap(\.members).filter(\.isStored).map(\.name))
        inputChecks = module.places { tokens, index in
            let text = tokens[index].text
            if ["trimmed", "trimmingCharacters"].contains(text) { return tokens.text(at: index - 1) == "." }
            return ["isEmpty", "count"].contains(text) && tokens.text(at: index - 1) == "."
                && fields.contains(tokens.text(at: index - 2) ?? "")
        }
        texts = module.places { tokens, index in
            guard let literal = tokens[index].literal else { return false }
            return literal.split(separator: " ").count { $0.count { $0.isLetter } > 1 } > 1
        }
    }
}
