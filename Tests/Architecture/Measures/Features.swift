/// The features of an app, and the kinds of their types.
///
/// The files of a feature lie in a folder with its name, or have a name that starts with its name. A type in another
/// file belongs to the feature if its name starts with it. Containers belong to no feature.
struct Features {
    /// The features with their spellings.
    static let names: [(title: String, spellings: [String])] = [
        ("Launch", ["Launching", "Launch"]),
        ("Welcome", ["Welcome"]),
        ("SignIn", ["SignIn"]),
        ("SignUp", ["SignUp"]),
        ("GettingUserLocation", ["GettingUsersLocation", "GettingUserLocation"]),
        ("PickMeUp", ["PickMeUp", "DropoffLocationPicker", "RideOptionPicker", "SendingRideRequest"]),
        ("WaitingForPickup", ["WaitingForPickup"]),
        ("Profile", ["Profile"]),
    ]
    /// The last words of the names of types, and of files of a feature. The longest match counts.
    static let roles = [
        "View", "ViewController", "ViewModel", "State", "ViewState", "Action", "Reducer", "UserInteractions",
        "UserInterface", "Controller", "UseCase", "UseCaseFactory", "Responder", "Navigator",
    ]

    /// The number of types by feature and role.
    let counts: [String: [String: Int]]
    /// The types of other features that the files of a feature name, each once a file.
    let crossings: [Place]

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
        crossings = module.files.flatMap { file -> [Place] in
            guard let feature = Self.feature(of: file) else { return [] }
            return file.words.sorted().compactMap { word in
                guard let owner = owners[word], owner != feature else { return nil }
                return Place(
                    module: module.name, path: file.path,
                    line: file.tokens.first { $0.text == word }?.line ?? 0, what: word)
            }
        }
    }

    static func feature(of file: SourceFile) -> String? {
        guard !file.folders.contains("Containers") else { return nil }
        let named = file.folders.lazy.compactMap { folder in names.first { $0.spellings.contains(folder) }?.title }
        return named.first ?? feature(prefixing: file.concept)
    }

    private static func feature(prefixing name: String) -> String? {
        names.first { $0.spellings.contains(where: name.hasPrefix) }?.title
    }

    private static func role(of name: String) -> String? {
        roles.filter { name.hasSuffix($0) }.max { $0.count < $1.count }
    }
}
