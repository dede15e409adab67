/// The features of an app, which form a tree, and the kinds of their types.
///
/// A file belongs to the feature whose name its own name starts with, or else to that of its innermost folder. A type in
/// another file belongs to the feature if its name starts with it. Containers belong to no feature.
struct Features {
    /// A feature with its spellings. Those that it contains are its children.
    struct Feature {
        let title: String
        let spellings: [String]
        let parent: String?

        init(_ title: String, _ spellings: [String]? = nil, in parent: String? = nil) {
            self.title = title
            self.spellings = spellings ?? [title]
            self.parent = parent
        }
    }

    static let all = [
        Feature("Main"), Feature("Launch", ["Launching", "Launch"], in: "Main"), Feature("Onboarding", in: "Main"),
        Feature("Welcome", in: "Onboarding"), Feature("SignIn", in: "Onboarding"), Feature("SignUp", in: "Onboarding"),
        Feature("SignedIn", in: "Main"),
        Feature("GettingUserLocation", ["GettingUsersLocation", "GettingUserLocation"], in: "SignedIn"),
        Feature(
            "PickMeUp", ["PickMeUp", "DropoffLocationPicker", "RideOptionPicker", "SendingRideRequest"], in: "SignedIn"),
        Feature("WaitingForPickup", in: "SignedIn"), Feature("Profile", in: "SignedIn"),
    ]
    /// The features with screens or children of their own, in which every kind of object has to be. One object may serve
    /// the forms of the onboarding together.
    static let units = all.filter { $0.parent != "Onboarding" }
    /// The last words of the names of types, and of files of a feature. The longest match counts.
    static let roles = [
        "View", "ViewController", "ViewModel", "State", "ViewState", "Action", "Effect", "Reducer", "UserInteractions",
        "UserInterface", "Controller", "UseCase", "UseCaseFactory", "Responder", "Navigator",
    ]
    /// The kinds of objects that each unit has.
    static let required = [
        "KooberMVVM": ["ViewController", "ViewModel"], "KooberRedux": ["UserInteractions", "View"],
        "KooberElements": ["Controller", "UseCase"],
    ]

    /// The number of types by feature and role.
    let counts: [String: [String: Int]]
    /// The types of other features that the files of a feature name, each once a file. A feature may name those that it
    /// contains.
    let crossings: [Place]
    /// The same for types of a feature that contains others, such as the state of a session, which its parts change.
    let upward: [Place]
    /// The units without a required kind, such as `Profile without ViewModel`.
    let incomplete: [Place]

    init(_ module: Module) {
        var counts: [String: [String: Int]] = [:]
        var owners: [String: String] = [:]
        for file in module.files {
            let ownFeature = Self.feature(of: file)
            let types = Set(file.types.filter { $0.kind != .extension }.map(\.name))
            for name in ownFeature == nil ? types : types.union([file.concept]) {
                guard let feature = ownFeature ?? Self.feature(prefixing: name) else { continue }
                if ownFeature != nil { owners[name] = feature }
                guard let role = Self.role(of: name) else { continue }
                counts[feature, default: [:]][role, default: 0] += 1
            }
        }
        self.counts = counts
        let found = module.files.flatMap { file -> [(isUpward: Bool, place: Place)] in
            guard let feature = Self.feature(of: file) else { return [] }
            return file.words.sorted().compactMap { word in
                guard let owner = owners[word], owner != feature, !Self.parents(of: owner).contains(feature)
                else { return nil }
                let line = file.tokens.first { $0.text == word }?.line ?? 0
                return (Self.all.contains { $0.parent == owner }, module.place(word, line: line, in: file))
            }
        }
        crossings = found.filter { !$0.isUpward }.map(\.place)
        upward = found.filter(\.isUpward).map(\.place)
        incomplete = Self.units.flatMap { unit -> [Place] in
            // A feature with screens of its own answers for its own kinds alone.
            let answering = unit.title == "Onboarding" ? [unit] + Self.all.filter { $0.parent == unit.title } : [unit]
            let present = Set(answering.flatMap { counts[$0.title, default: [:]].keys })
            guard let file = module.files.first(where: { Self.feature(of: $0) == unit.title }) else { return [] }
            return (Self.required[module.name] ?? []).filter { !present.contains($0) }
                .map { module.place("\(unit.title) without \($0)", line: 1, in: file) }
        }
    }

    static func feature(of file: SourceFile) -> String? {
        guard !file.folders.contains("Containers") else { return nil }
        let ofFolders = file.folders.reversed().lazy.compactMap { folder in
            all.first { $0.spellings.contains(folder) }
        }
        return feature(prefixing: file.concept) ?? ofFolders.first?.title
    }

    /// The features that contain this one, innermost first.
    private static func parents(of title: String) -> [String] {
        guard let parent = all.first(where: { $0.title == title })?.parent else { return [] }
        return [parent] + parents(of: parent)
    }

    private static func feature(prefixing name: String) -> String? {
        all.first { $0.spellings.contains(where: name.hasPrefix) }?.title
    }

    private static func role(of name: String) -> String? {
        roles.filter { name.hasSuffix($0) }.max { $0.count < $1.count }
    }
}
