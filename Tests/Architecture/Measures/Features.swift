/// The features of an app, and which kinds of objects they have.
///
/// A feature has a folder in the architecture's module. What lies in other folders belongs to the feature with whose name
/// its own begins.
struct Features {
    /// With the spellings that occur.
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
    /// The last words of the name of a type, or of a file in a feature's folder; the longest counts.
    static let roles = [
        "View", "ViewController", "ViewModel", "State", "ViewState", "Action", "Reducer", "UserInteractions",
        "UserInterface",
        "Controller", "UseCase", "UseCaseFactory", "Responder", "Navigator",
    ]

    /// How many types, by feature and role.
    let counts: [String: [String: Int]]
    /// What files in one feature's folder name of another's; each file and type once.
    let crossings: [Place]

    init(_ module: Module) {
        var counts: [String: [String: Int]] = [:]
        var owners: [String: String] = [:]
        for file in module.files {
            let inFolder = file.folders.contains { Self.feature(named: $0) != nil }
            let types = Set(file.types.filter { $0.kind != .extension }.map(\.name))
            for name in inFolder ? types.union([file.concept]) : types {
                guard let feature = Self.feature(of: file, name: name) else { continue }
                if inFolder { owners[name] = feature }
                guard let role = Self.role(of: name) else { continue }
                counts[feature, default: [:]][role, default: 0] += 1
            }
        }
        self.counts = counts
        let own = module.files.filter { file in file.folders.contains { Self.feature(named: $0) != nil } }
        crossings = own.flatMap { file -> [Place] in
            let feature = Self.feature(of: file, name: file.concept)
            return file.words.sorted().compactMap { word in
                guard let owner = owners[word], owner != feature else { return nil }
                return Place(
                    module: module.name, path: file.path,
                    line: file.tokens.first { $0.text == word }?.line ?? 0, what: word)
            }
        }
    }

    private static func feature(named folder: String) -> String? {
        names.first { $0.spellings.contains(folder) }?.title
    }

    private static func feature(of file: SourceFile, name: String) -> String? {
        if let folder = file.folders.first(where: { feature(named: $0) != nil }) { return feature(named: folder) }
        return names.first { $0.spellings.contains { name.hasPrefix($0) } }?.title
    }

    private static func role(of name: String) -> String? {
        roles.filter { name.hasSuffix($0) }.max { $0.count < $1.count }
    }
}
