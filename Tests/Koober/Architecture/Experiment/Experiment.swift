import Foundation

/// The scripted changes, applied to a copy of Koober one after the other.
struct Experiment {
    /// A change in one architecture, or in what all of them share.
    struct Outcome {
        let change: String
        /// nil for what all of them share.
        let architecture: String?
        /// Both nil if nothing changes here.
        let patch: Patch?
        let build: Build?
        /// The files of the architecture's own tests that the compiler no longer accepts.
        let brokenTests: [String]

        fileprivate var row: [String] {
            let roles = Patch.Role.allCases.filter { role in patch?.files.contains { $0.role == role } ?? false }
            let parts = roles.map { "\($0.rawValue): \(patch?.size(of: [$0]) ?? "")" }
            return [
                change, architecture ?? "all", patch?.size() ?? "none", parts.joined(separator: "; "),
                "\(build?.modules.count ?? 0)", build?.time.seconds ?? "–",
                (patch?.changedTests ?? []).joined(separator: ", "), brokenTests.joined(separator: ", "),
            ]
        }
    }

    let outcomes: [Outcome]
    /// By module, the build after a line was added to a file of the sign-in.
    let leaves: [LeafBuild]

    /// - Throws: `CommandFailed` if a patch does not apply, a build fails, or a scenario does not pass.
    init(_ koober: Koober, repository: URL, report: (String) -> Void) throws {
        let names = koober.architectures.map(\.name)
        report("Copying and building Koober. The first time takes minutes.")
        let laboratory = try Laboratory(of: repository)
        try laboratory.buildScenarios()
        leaves = try koober.architectures.flatMap { try LeafBuild.all(of: $0, in: laboratory, report: report) }
        report("The tests of each architecture")
        // Files that are not finished, for example.
        let broken = try Dictionary(uniqueKeysWithValues: names.map { ($0, try laboratory.brokenTests(of: $0)) })
        var outcomes: [Outcome] = []
        for change in try Change.all(in: repository, of: names) {
            report("\(change.name): the unchanged state")
            try laboratory.restore()
            try laboratory.buildScenarios()
            report("\(change.name): what all architectures share")
            try laboratory.apply(change.shared)
            let build = try laboratory.build("KooberScenarios")
            outcomes.append(
                Outcome(change: change.name, architecture: nil, patch: change.shared, build: build, brokenTests: []))
            for name in names {
                report("\(change.name): \(name), build, scenarios and tests")
                let outcome = try Self.outcome(of: change, in: name, laboratory, brokenBefore: broken[name] ?? [])
                outcomes.append(outcome)
                report("  " + outcome.row.dropFirst(2).joined(separator: " | "))
            }
        }
        try laboratory.restore()
        self.outcomes = outcomes
    }

    private static func outcome(
        of change: Change, in name: String, _ laboratory: Laboratory, brokenBefore: [String]
    ) throws -> Outcome {
        let patch = change.patches[name]
        if let patch { try laboratory.apply(patch) }
        let build = try patch.map { _ in try laboratory.build(name) }
        try laboratory.buildScenarios()
        try laboratory.runScenarios(in: name)
        let broken = try laboratory.brokenTests(of: name).filter { !brokenBefore.contains($0) }
        if let patch { try laboratory.apply(patch, reversed: true) }
        return Outcome(change: change.name, architecture: name, patch: patch, build: build, brokenTests: broken)
    }

    /// The same change in each architecture, with the method of measuring.
    func text(markdown: Bool) -> String {
        let head = [
            "Change", "In", "Lines", "By part", "Modules built", "Time", "Edited tests", "Tests that no longer compile",
        ]
        let how = """
            Each change is a patch for all and one for each architecture (Tests/Koober/Architecture/Changes), applied to a copy. \
            Modules and time are those of swift build after applying it: of the scenarios with all that they need for the \
            shared part, then of one architecture for its own. The scenarios pass in each after its patch. Edited tests \
            are files of the tests in the patch that existed before; the compiler finds the tests of the architecture that \
            would have to change, too.
            """
        return Table(head: head, rows: outcomes.map(\.row)).text(markdown: markdown) + "\n\n" + how
    }
}

/// The build after a line was added to one file.
struct LeafBuild {
    /// The declaration on the line.
    enum Line: String, CaseIterable {
        case privateConstant = "a private constant"
        case publicConstant = "a public constant"

        func text(_ number: Int) -> String {
            "\(self == .privateConstant ? "private" : "public") let added\(number) = \(number)"
        }
    }

    let architecture: String
    let path: String
    let line: Line
    let build: Build

    /// A file of the sign-in is changed, and the architecture is built; the median of three times.
    static func all(of module: Module, in laboratory: Laboratory, report: (String) -> Void) throws -> [LeafBuild] {
        guard let leaf = module.files.first(where: { $0.shows("SignIn") }) else { return [] }
        let path = "Client/Koober/Sources/\(module.name)/\(leaf.path)"
        return try Line.allCases.map { line in
            report("\(module.name): \(line.rawValue) in \(leaf.path)")
            try laboratory.restore()
            _ = try laboratory.build(module.name)
            let builds = try (1...3).map { number in
                try laboratory.append(line.text(number), to: path)
                return try laboratory.build(module.name)
            }
            try laboratory.restore()
            let build = builds.sorted { $0.time < $1.time }[1]
            return LeafBuild(architecture: module.name, path: leaf.path, line: line, build: build)
        }
    }
}

extension Duration { var seconds: String { String(format: "%.1f s", self / .seconds(1)) } }
