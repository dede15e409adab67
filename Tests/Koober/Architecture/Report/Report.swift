import Foundation

/// The three architectures side by side.
struct Report {
    private let koober: Koober
    private let experiment: Experiment?

    /// - Parameter experiment: nil if nothing was built.
    init(_ koober: Koober, experiment: Experiment?) { (self.koober, self.experiment) = (koober, experiment) }

    func text(markdown: Bool) -> String {
        let bullet = markdown ? "- " : ""
        let (figures, names) = (figures, koober.architectures.map(\.name))
        let table = Table(
            head: ["", "Figure"] + names,
            rows: figures.map { figure in
                let rest = figure.values.count == 1 ? names.dropFirst().map { _ in "" } : []
                return [figure.problem, figure.name] + figure.values + rest
            })
        let notes = figures.map { "\(bullet)\($0.problem) \($0.name): \($0.how)" }
        var parts = [("", table.text(markdown: markdown)), ("How each is measured", notes.joined(separator: "\n"))]
        parts += koober.architectures.map {
            ("V9: kinds of objects in \($0.name), by feature", matrix($0).text(markdown: markdown))
        }
        if let experiment {
            parts.append(("The same change in each architecture", experiment.text(markdown: markdown)))
        }
        parts.append(("Where", places.map { bullet + $0 }.joined(separator: "\n")))
        return parts.flatMap { title, text in
            title.isEmpty ? [text] : [(markdown ? "## " : "") + title, text]
        }.joined(separator: "\n\n")
    }

    private var figures: [Figure] { understanding + owners + sharing + replacing + testing + agility }
    private func each(_ value: (Module) -> String) -> [String] { koober.architectures.map(value) }
    private func inEach(_ places: (Module) -> [Place]) -> [[Place]] { koober.architectures.map(places) }

    private func byArchitecture(_ places: [Place]) -> [[Place]] {
        inEach { module in places.filter { $0.module == module.name } }
    }

    private var stateOwners: [StateOwners] {
        zip(koober.architectures, koober.tests).map { StateOwners($0, tests: $1) }
    }

    private var replacements: Replacements {
        Replacements(in: [koober.kit, koober.client, koober.program], of: koober.kit)
    }

    private var choices: Choices { Choices(koober.modules + [koober.program]) }
    private func constructions(_ module: Module) -> Constructions { Constructions(module, model: koober.kit) }

    private func references(_ module: Module) -> References {
        References(module, siblings: koober.architectures.map(\.name), model: koober.kit, wire: koober.wire)
    }

    private var understanding: [Figure] {
        let sets = koober.architectures.map { ReadingSet(feature: "SignIn", in: $0, model: koober.kit) }
        func size(_ files: [SourceFile]) -> String { "\(files.count) files, \(files.lineCount) lines" }
        let shares = zip(sets, koober.architectures).map { set, module in
            percent(set.whole.lineCount, of: module.lineCount + koober.kit.lineCount)
        }
        let sizes = koober.architectures.map { TypeSizes($0) }
        return [
            Figure("V1", "whole module", each { size($0.files) }, how: "all Swift files of the target"),
            Figure(
                "V1", "sign-in, and what it names", sets.map { size($0.direct) },
                how: "the files of the feature, and those of the module and KooberKit that declare the types they name"),
            Figure(
                "V1", "to understand sign-in", sets.map { size($0.whole) },
                how: "the same repeated until no file is added"),
            Figure(
                "V1", "share of the module and kit", shares,
                how: "the lines of these files, of all lines of the module and KooberKit"),
            Figure(
                "V1", "longest type", sizes.map { "\($0.longest.name), \($0.longest.lines) lines" },
                how: "from the first line of the declaration to its last, with the extensions in the module"),
            Figure(
                "V1", "most public members", sizes.map { "\($0.maxWidth.name), \($0.maxWidth.publicMembers)" },
                how: "public declarations, cases and requirements of public types, with the extensions in the module"),
        ]
    }

    private var owners: [Figure] {
        let settable = koober.architectures.map { SettableState($0) }
        let general = Constructions.general.sorted().joined(separator: ", ")
        return [
            Figure(
                "V2", "built outside of containers", places: inEach { constructions($0).outside },
                how: "calls of initializers of the module's classes and actors, except those of general code (folders "
                    + "\(general)), and of KooberKit's implementations; a rule"),
            Figure(
                "V2", "built in containers", places: inEach { constructions($0).inContainers },
                how: "the same in the folder Containers and in the type that conforms to KooberApp"),
            Figure(
                "V2", "parts that objects build", places: inEach { constructions($0).parts },
                how: "the same for general code, outside of containers: its objects belong to what builds them"),
            Figure(
                "V2", "variables others can set", settable.map { "\($0.places.count) of \($0.variables)" },
                how: "stored variables of classes and actors that are neither private nor private(set)"),
            Figure(
                "V2", "owners of state that tests name",
                stateOwners.map { "\($0.places.count - $0.untested.count) of \($0.places.count)" },
                how: "classes and actors with variables that the architecture's own tests name; only scenarios test "
                    + "the others, which are listed below"),
        ]
    }

    private var sharing: [Figure] {
        func repeated(in others: (Module) -> [Module], length: Int = Duplication.length) -> [String] {
            each { String(format: "%.1f %%", Duplication(of: $0, in: others($0), length: length).percent) }
        }
        let run = "tokens in runs of \(Duplication.length) and more, without imports and comments, that also occur in "
        return [
            Figure(
                "V3", "global and static variables", places: inEach { SharedState($0).mutableGlobals },
                how: "var at the level of a file, and stored static var; a rule"),
            Figure(
                "V3", "unchecked promises", places: inEach { SharedState($0).unchecked },
                how: "@unchecked and nonisolated(unsafe)"),
            Figure(
                "V3", "locks", places: inEach { SharedState($0).locks },
                how: "Mutex, NSLock, NSRecursiveLock, OSAllocatedUnfairLock, DispatchSemaphore"),
            Figure(
                "V3", "scenarios with the same screens in each",
                places: [koober.scenarios.places { $0[$1].text == "Scenario" && $0.text(at: $1 + 1) == "(" }],
                how: "Scenario(…) in Tests/Koober/Scenarios: the actions of a user, and each screen they lead to. make "
                    + "test runs them in each architecture, make test-threads under the Thread Sanitizer; this program "
                    + "does not check that they pass"),
            Figure(
                "V4", "features known to general code", places: inEach { constructions($0).misplaced },
                how: "types of other folders that general code names; a rule"),
            Figure(
                "V4", "checks of input", places: inEach { MisplacedModel($0, model: koober.kit).inputChecks },
                how: "tests of the length of a form's field, and trimmings: KooberKit does this for all; a rule"),
            Figure(
                "V4", "texts for people", places: inEach { MisplacedModel($0, model: koober.kit).texts },
                how: "string literals of several words: KooberTexts has the texts for all; a rule"),
            Figure(
                "V4", "repeated from other modules",
                repeated(in: { module in koober.modules.filter { $0.name != module.name } }),
                how: run + "another architecture, KooberKit, KooberScreens or KooberClient"),
            Figure(
                "V4", "the same in short runs",
                repeated(
                    in: { module in koober.architectures.filter { $0.name != module.name } + [koober.kit] },
                    length: Duplication.shortLength),
                how: "tokens in runs of \(Duplication.shortLength) and more that also occur in another architecture or "
                    + "KooberKit"),
            Figure(
                "V4", "repeated within the module", repeated(in: { [$0] }), how: run + "another file of the module"),
        ]
    }

    private var replacing: [Figure] {
        let modules = each { module in
            let modules = Set(module.files.flatMap(\.importedModules)).filter { $0.hasPrefix(module.name) }
            return "\(modules.subtracting([module.name + "Core"]).count)"
        }
        return [
            Figure(
                "V5", "implementations named", places: inEach { references($0).implementations },
                how: "types of KooberKit that conform to one of its protocols, named in the module: each once and in a "
                    + "container, which is a rule"),
            Figure(
                "V5", "places where a swap is made", [replacements.range],
                how: "calls of the initializer of each type in KooberKit, KooberClient and the program that conforms "
                    + "to a protocol of KooberKit: the places that change for another implementation, all outside of "
                    + "the architectures and listed below. The change session-store makes such a swap"),
            Figure(
                "V6", "imports of another", places: inEach { references($0).siblingImports },
                how: "imports of another architecture; a rule"),
            Figure(
                "V6", "features naming another", places: inEach { Features($0).crossings },
                how: "types of one feature in the files of another that does not contain it, each once a file; a rule"),
            Figure(
                "V6", "features naming a whole", places: inEach { Features($0).upward },
                how: "the same for types of Main, Onboarding and SignedIn, which contain the others; listed below"),
            Figure(
                "V6", "modules of features", modules,
                how: "modules that the architecture puts together; none imports another, which is a rule"),
        ]
    }

    private var testing: [Figure] {
        let tests = koober.tests.map { UnitTests([$0, koober.scenarios]) }
        let kinds = koober.architectures.map { Features.required[$0.name]?.joined(separator: " and ") ?? "" }
        let builds = (experiment == nil ? [] : LeafBuild.Line.allCases).map { line in
            let builds = koober.architectures.map { module in
                experiment?.leaves.first { $0.architecture == module.name && $0.line == line }
            }
            let changed = builds.compactMap { $0.map { "\($0.architecture)/\($0.path)" } }.joined(separator: ", ")
            return Figure(
                "V8", "after \(line.rawValue) in sign-in",
                builds.map { $0.map { "\($0.build.modules.count) modules, \($0.build.time.seconds)" } ?? "-" },
                how: "swift build --target in a copy after adding it at the end of a file, the median of three, and "
                    + "the modules that SwiftPM compiles; changed: \(changed)")
        }
        let io = Figure(
            "V7", "test files without I/O", tests.map { "\($0.files - $0.touching.count) of \($0.files)" },
            how: "in its own folder and the shared scenarios; the others name a network, a file or a process")
        return [io] + builds + [
            Figure(
                "V8", "lines compiled together", each { "\($0.largestPart)" },
                how: "the lines of the largest module of the architecture, which a change in it compiles again at most"),
            Figure(
                "V9", "features with all kinds",
                each { module in
                    let lacking = Set(Features(module).incomplete.map(\.path)).count
                    return "\(Features.units.count - lacking) of \(Features.units.count)"
                },
                how: "features with \(kinds.joined(separator: ", or ")), by architecture; a rule; listed below with "
                    + "all other kinds"),
        ]
    }

    private var agility: [Figure] {
        let choices = choices
        let inside = Set(koober.architectures.map(\.name))
        return [
            Figure(
                "A1", "types of the wire", places: inEach { references($0).wireTypes },
                how: "public types of PouchWire and PouchContract named in the module, and imports of these; a rule"),
            Figure(
                "A1", "places that name a coder", places: byArchitecture(choices.coders),
                how: "calls of initializers of types that conform to UserSessionCoding"),
            Figure(
                "A2", "places that name a data store", places: byArchitecture(choices.dataStores),
                how: "calls of initializers of types that conform to UserSessionDataStore"),
            Figure(
                "A2", "the same, outside of the architectures",
                places: [choices.dataStores.filter { !inside.contains($0.module) }],
                how: "in KooberKit, KooberScreens, KooberClient and the program; listed below"),
            Figure(
                "A3", "places that a build flag decides", places: [choices.flags],
                how: "conditions after #if and #elseif in the modules and the program, except those on the system and "
                    + "\(Choices.program), without which the program is empty; listed below"),
            Figure(
                "A3", "places where a value selects", places: [choices.selections],
                how: "methods make… of enums in the modules and the program; listed below"),
        ]
    }

    private func matrix(_ module: Module) -> Table {
        let counts = Features(module).counts
        let roles = Features.roles.filter { role in counts.values.contains { $0[role] != nil } }
        let rows = Features.all.map { feature in
            [feature.title] + roles.map { counts[feature.title]?[$0].map(String.init) ?? "" }
        }
        return Table(head: [""] + roles, rows: rows)
    }

    private var places: [String] {
        let choices = choices
        var found: [(String, [Place])] = []
        for (module, owners) in zip(koober.architectures, stateOwners) {
            found += [
                ("V2 part", constructions(module).parts), ("V2 settable", SettableState(module).places),
                ("V2 no test names", owners.untested), ("V3 lock", SharedState(module).locks),
                ("V6 whole", Features(module).upward),
            ]
        }
        found += [
            ("V5 swap", replacements.places.sorted { $0.key < $1.key }.flatMap(\.value)),
            ("A1 coder", choices.coders), ("A2 data store", choices.dataStores), ("A3 flag", choices.flags),
            ("A3 selection", choices.selections),
        ]
        return found.flatMap { name, places in places.map { "\(name): \($0)" } }
    }

    private func percent(_ part: Int, of whole: Int) -> String { whole == 0 ? "-" : "\(100 * part / whole) %" }
}

extension Module {
    /// The lines of its largest part: the files of a folder that is a module, or all others.
    fileprivate var largestPart: Int {
        let modules = Set(files.flatMap(\.importedModules))
        let parts = Dictionary(grouping: files) { file in
            file.folders.first.flatMap { modules.contains(name + $0) ? $0 : nil } ?? ""
        }
        return parts.values.map(\.lineCount).max() ?? 0
    }
}

extension Replacements {
    /// The fewest and the most places of one implementation.
    fileprivate var range: String {
        let counts = places.values.map(\.count)
        guard let fewest = counts.min(), let most = counts.max() else { return "-" }
        return fewest == most ? "\(most)" : "\(fewest) to \(most)"
    }
}
