import Foundation

/// The three architectures side by side.
struct Report {
    private let koober: Koober
    private let experiment: Experiment?

    /// - Parameter experiment: nil if nothing was built.
    init(_ koober: Koober, experiment: Experiment?) {
        self.koober = koober
        self.experiment = experiment
    }

    func text(markdown: Bool) -> String {
        let figures = figures
        let names = koober.architectures.map(\.name)
        let table = Table(
            head: ["", "Figure"] + names,
            rows: figures.map { figure in
                let values =
                    figure.values.count == 1 ? figure.values + names.dropFirst().map { _ in "" } : figure.values
                return [figure.problem, figure.name] + values
            })
        let notes = figures.map { "\(markdown ? "- " : "")\($0.problem) \($0.name): \($0.how)" }
        var parts = [
            table.text(markdown: markdown), title("How each is measured", markdown), notes.joined(separator: "\n"),
        ]
        for module in koober.architectures {
            parts += [
                title("V9: kinds of objects in \(module.name), by feature", markdown),
                matrix(module).text(markdown: markdown),
            ]
        }
        if let experiment {
            parts += [title("The same change in each architecture", markdown), experiment.text(markdown: markdown)]
        }
        parts += [title("Where", markdown), places.map { (markdown ? "- " : "") + $0 }.joined(separator: "\n")]
        return parts.joined(separator: "\n\n")
    }

    private func title(_ text: String, _ markdown: Bool) -> String { markdown ? "## " + text : text }

    private var figures: [Figure] {
        understanding + owners + sharing + replacing + testing + agility
    }

    private func each(_ value: (Module) -> String) -> [String] { koober.architectures.map(value) }

    private func inEach(_ places: [Place]) -> [[Place]] {
        koober.architectures.map { module in places.filter { $0.module == module.name } }
    }

    private var stateOwners: [StateOwners] {
        zip(koober.architectures, koober.tests).map { StateOwners($0, tests: $1) }
    }

    private var replacements: Replacements {
        Replacements(in: [koober.kit, koober.client, koober.program], of: koober.kit)
    }

    private var understanding: [Figure] {
        let sets = koober.architectures.map { ReadingSet(feature: "SignIn", in: $0, model: koober.kit) }
        func size(_ files: [SourceFile]) -> String { "\(files.count) files, \(files.lineCount) lines" }
        return [
            Figure(
                problem: "V1", name: "whole module", values: each { size($0.files) },
                how: "all Swift files of the target"),
            Figure(
                problem: "V1", name: "sign-in, and what it names", values: sets.map { size($0.direct) },
                how: "the files of the feature, and those of the module and KooberKit that declare the types they name"),
            Figure(
                problem: "V1", name: "to understand sign-in", values: sets.map { size($0.whole) },
                how: "the same repeated until no file is added"),
            Figure(
                problem: "V1", name: "share of the module and kit",
                values: zip(sets, koober.architectures).map { set, module in
                    percent(set.whole.lineCount, of: module.lineCount + koober.kit.lineCount)
                }, how: "the lines of these files, of all lines of the module and KooberKit"),
            Figure(
                problem: "V1", name: "longest type",
                values: each {
                    let longest = TypeSizes($0).longest
                    return "\(longest.name), \(longest.lines) lines"
                }, how: "from the first line of the declaration to its last, with the extensions in the module"),
            Figure(
                problem: "V1", name: "most public members",
                values: each {
                    let maxWidth = TypeSizes($0).maxWidth
                    return "\(maxWidth.name), \(maxWidth.publicMembers)"
                },
                how: "public declarations, cases and requirements of public types, with the extensions in the module"),
        ]
    }

    private var owners: [Figure] {
        let built = koober.architectures.map { Constructions($0, model: koober.kit) }
        let settable = koober.architectures.map { SettableState($0) }
        return [
            Figure(
                "V2", "built outside of containers", built.map(\.outside),
                how: "calls of initializers of the module's classes and actors, except those of general code (folders "
                    + Constructions.general.sorted().joined(separator: ", ")
                    + "), and of KooberKit's implementations; a rule"),
            Figure(
                "V2", "built in containers", built.map(\.inContainers),
                how: "the same in the folder Containers and in the type that conforms to KooberApp"),
            Figure(
                "V2", "parts that objects build", built.map(\.parts),
                how:
                    "the same for general code, outside of containers: its objects belong to the object that builds them"
            ),
            Figure(
                problem: "V2", name: "variables others can set",
                values: settable.map { "\($0.places.count) of \($0.variables)" },
                how: "stored variables of classes and actors that are neither private nor private(set)"),
            Figure(
                problem: "V2", name: "owners of state that tests name",
                values: stateOwners.map { "\($0.places.count - $0.untested.count) of \($0.places.count)" },
                how:
                    "classes and actors with variables that the architecture's own tests name; only scenarios test the "
                    + "others, which are listed below"),
        ]
    }

    private var sharing: [Figure] {
        let modules = koober.architectures
        let shared = modules.map { SharedState($0) }
        let copies = modules.map { module in
            Duplication(of: module, in: koober.modules.filter { $0.name != module.name })
        }
        let short = modules.map { module in
            Duplication(
                of: module, in: modules.filter { $0.name != module.name } + [koober.kit],
                length: Duplication.shortLength)
        }
        let own = modules.map { Duplication(of: $0, in: [$0]) }
        let run = "tokens in runs of \(Duplication.length) and more, without imports and comments, that also occur in "
        return [
            Figure(
                "V3", "global and static variables", shared.map(\.mutableGlobals),
                how: "var at the level of a file, and stored static var; a rule"),
            Figure("V3", "unchecked promises", shared.map(\.unchecked), how: "@unchecked and nonisolated(unsafe)"),
            Figure(
                "V3", "locks", shared.map(\.locks),
                how: "Mutex, NSLock, NSRecursiveLock, OSAllocatedUnfairLock, DispatchSemaphore"),
            Figure(
                "V3", "scenarios with the same screens in each",
                [koober.scenarios.places { $0.begins("Scenario", at: $1) }],
                how:
                    "Scenario(…) in Tests/Koober/Scenarios: the actions of a user, and each screen they lead to. make test "
                    + "runs them in each architecture, make test-threads under the Thread Sanitizer; this program does "
                    + "not check that they pass"),
            Figure(
                "V4", "features known to general code",
                modules.map { Constructions($0, model: koober.kit).misplaced },
                how: "types of other folders that general code names; a rule"),
            Figure(
                "V4", "checks of input", modules.map { MisplacedModel($0, model: koober.kit).inputChecks },
                how:
                    "tests whether a field of a form is empty or how long it is, and trimmings: KooberKit does this for "
                    + "all; a rule"),
            Figure(
                "V4", "texts for people", modules.map { MisplacedModel($0, model: koober.kit).texts },
                how: "string literals of several words: KooberTexts has the texts for all; a rule"),
            Figure(
                problem: "V4", name: "repeated from other modules",
                values: copies.map { String(format: "%.1f %%", $0.percent) },
                how: run + "another architecture, KooberKit, KooberScreens or KooberClient"),
            Figure(
                problem: "V4", name: "the same in short runs",
                values: short.map { String(format: "%.1f %%", $0.percent) },
                how: "tokens in runs of \(Duplication.shortLength) and more that also occur in another architecture or "
                    + "KooberKit"),
            Figure(
                problem: "V4", name: "repeated within the module",
                values: own.map { String(format: "%.1f %%", $0.percent) }, how: run + "another file of the module"),
        ]
    }

    private var replacing: [Figure] {
        let names = koober.architectures.map(\.name)
        let references = koober.architectures.map {
            References($0, siblings: names, model: koober.kit, wire: koober.wire)
        }
        return [
            Figure(
                "V5", "implementations named", references.map(\.implementations),
                how: "types of KooberKit that conform to one of its protocols, named in the module: each once and in a "
                    + "container, which is a rule"),
            Figure(
                problem: "V5", name: "places where a swap is made", values: [replacements.range],
                how:
                    "calls of the initializer of each type in KooberKit, KooberClient and the program that conforms to a "
                    + "protocol of KooberKit: the places that change for another implementation, all outside of the "
                    + "architectures and listed below. The change session-store makes such a swap"),
            Figure(
                "V6", "imports of another", references.map(\.siblingImports),
                how: "imports of another architecture; a rule"),
            Figure(
                "V6", "features naming another", koober.architectures.map { Features($0).crossings },
                how: "types of one feature named in the files of another that does not contain it, each file and type "
                    + "once; a rule"),
            Figure(
                "V6", "features naming a whole", koober.architectures.map { Features($0).upward },
                how: "the same for types of Main, Onboarding and SignedIn, which contain the others; listed below"),
            Figure(
                problem: "V6", name: "modules of features",
                values: each { module in
                    let modules = Set(module.files.flatMap(\.importedModules)).filter { $0.hasPrefix(module.name) }
                    return "\(modules.subtracting([module.name + "Core"]).count)"
                },
                how:
                    "modules that the architecture puts together; that none of them imports another is a rule, and the "
                    + "compiler's error"),
        ]
    }

    private var testing: [Figure] {
        let tests = koober.tests.map { UnitTests([$0, koober.scenarios]) }
        var figures = [
            Figure(
                problem: "V7", name: "test files without I/O",
                values: tests.map { "\($0.files - $0.touching.count) of \($0.files)" },
                how: "in its own folder and the shared scenarios; the others name a network, a file or a process")
        ]
        for line in experiment == nil ? [] : LeafBuild.Line.allCases {
            let builds = koober.architectures.map { module in
                experiment?.leaves.first { $0.architecture == module.name && $0.line == line }
            }
            figures.append(
                Figure(
                    problem: "V8", name: "after \(line.rawValue) in sign-in",
                    values: builds.map {
                        $0.map { "\($0.build.modules.count) modules, \($0.build.time.seconds)" } ?? "-"
                    },
                    how:
                        "swift build --target in a copy after adding it at the end of a file, the median of three, and "
                        + "the modules that SwiftPM compiles; changed: "
                        + builds.compactMap { $0.map { "\($0.architecture)/\($0.path)" } }.joined(separator: ", ")))
        }
        return figures + [
            Figure(
                problem: "V8", name: "lines compiled together", values: each { "\($0.largestPart)" },
                how: "the lines of the largest module of the architecture, which a change in it compiles again at most"),
            Figure(
                problem: "V9", name: "features with all kinds",
                values: each { module in
                    let lacking = Set(Features(module).incomplete.map(\.path)).count
                    return "\(Features.units.count - lacking) of \(Features.units.count)"
                },
                how: "features with "
                    + koober.architectures.map { Features.required[$0.name]?.joined(separator: " and ") ?? "" }
                    .joined(separator: ", or ") + ", by architecture; a rule; listed below with all other kinds"),
        ]
    }

    private var agility: [Figure] {
        let references = koober.architectures.map {
            References($0, siblings: [], model: koober.kit, wire: koober.wire)
        }
        let choices = Choices(koober.modules + [koober.program])
        let inside = Set(koober.architectures.map(\.name))
        return [
            Figure(
                "A1", "types of the wire", references.map(\.wireTypes),
                how: "public types of PouchWire and PouchContract named in the module, and imports of these; a rule"),
            Figure(
                "A1", "places that name a coder", inEach(choices.coders),
                how:
                    "calls of initializers of types that conform to UserSessionCoding: these places change with the coder"
            ),
            Figure(
                "A2", "places that name a data store", inEach(choices.dataStores),
                how:
                    "calls of initializers of types that conform to UserSessionDataStore: these places change with the store"
            ),
            Figure(
                "A2", "the same, outside of the architectures",
                [choices.dataStores.filter { !inside.contains($0.module) }],
                how: "in KooberKit, KooberScreens, KooberClient and the program; listed below"),
            Figure(
                "A3", "places that a build flag decides", [choices.flags],
                how: "conditions after #if and #elseif in the modules and the program, except those on the system and "
                    + "\(Choices.program), without which the program is empty; listed below"),
            Figure(
                "A3", "places where a value selects", [choices.selections],
                how: "methods make… of enums in the modules and the program; listed below"),
        ]
    }

    private func matrix(_ module: Module) -> Table {
        let counts = Features(module).counts
        let roles = Features.roles.filter { role in counts.values.contains { $0[role] != nil } }
        return Table(
            head: [""] + roles,
            rows: Features.all.map { feature in
                [feature.title] + roles.map { counts[feature.title]?[$0].map(String.init) ?? "" }
            })
    }

    private var places: [String] {
        let choices = Choices(koober.modules + [koober.program])
        var found: [(String, [Place])] = []
        for (module, owners) in zip(koober.architectures, stateOwners) {
            found += [
                ("V2 part", Constructions(module, model: koober.kit).parts),
                ("V2 settable", SettableState(module).places),
                ("V2 no test names", owners.untested),
                ("V3 lock", SharedState(module).locks),
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

    private func percent(_ part: Int, of whole: Int) -> String {
        whole == 0 ? "-" : "\(100 * part / whole) %"
    }
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

extension [Token] {
    /// Whether a call of this name starts at the index.
    fileprivate func begins(_ call: String, at index: Int) -> Bool {
        self[index].text == call && text(at: index + 1) == "("
    }
}
