import Foundation

/// The three architectures side by side.
struct Report {
    private let koober: Koober
    private let builds: BuildTimes?

    /// - Parameter builds: nil where nothing was built.
    init(_ koober: Koober, builds: BuildTimes?) {
        self.koober = koober
        self.builds = builds
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
            table.text(markdown: markdown), title("How each was got", markdown), notes.joined(separator: "\n"),
        ]
        for module in koober.architectures {
            parts += [
                title("V9: kinds of objects in \(module.name), by feature", markdown),
                matrix(module).text(markdown: markdown),
            ]
        }
        parts += [title("Where", markdown), places.map { (markdown ? "- " : "") + $0 }.joined(separator: "\n")]
        return parts.joined(separator: "\n\n")
    }

    private func title(_ text: String, _ markdown: Bool) -> String { markdown ? "## " + text : text }

    private var figures: [Figure] {
        understanding + owners + sharing + replacing + testing + agility
    }

    private func each(_ value: (Module) -> String) -> [String] { koober.architectures.map(value) }

    private var understanding: [Figure] {
        let sets = koober.architectures.map { ReadingSet(feature: "SignIn", in: $0, model: koober.kit) }
        func size(_ files: [SourceFile]) -> String { "\(files.count) files, \(files.lineCount) lines" }
        return [
            Figure(
                problem: "V1", name: "whole module", values: each { size($0.files) },
                how: "all Swift files of the target"),
            Figure(
                problem: "V1", name: "sign-in, and what it names", values: sets.map { size($0.direct) },
                how:
                    "the files of the folder SignIn, and those in the module and KooberKit that declare what these name"
            ),
            Figure(
                problem: "V1", name: "to understand sign-in", values: sets.map { size($0.whole) },
                how: "the same again for each file that was added, until none is"),
            Figure(
                problem: "V1", name: "share of the module and kit",
                values: zip(sets, koober.architectures).map { set, module in
                    percent(set.whole.lineCount, of: module.lineCount + koober.kit.lineCount)
                }, how: "the lines of these, of all lines of the module and KooberKit"),
            Figure(
                problem: "V1", name: "longest type",
                values: each {
                    let longest = TypeSizes($0).longest
                    return "\(longest.name), \(longest.lines) lines"
                }, how: "from the first line of the declaration to its last, with the extensions in the module"),
            Figure(
                problem: "V1", name: "most public members",
                values: each {
                    let widest = TypeSizes($0).widest
                    return "\(widest.name), \(widest.publicMembers)"
                },
                how: "what is marked public, cases and requirements of public types, with the extensions in the module"),
        ]
    }

    private var owners: [Figure] {
        let built = koober.architectures.map { Constructions($0, model: koober.kit) }
        let settable = koober.architectures.map { SettableState($0) }
        return [
            Figure(
                problem: "V2", name: "built outside of containers", values: built.map { "\($0.outside.count)" },
                how: "calls of initializers of the module's classes and actors, but those of what is general (folders "
                    + Constructions.general.sorted().joined(separator: ", ")
                    + "), and of KooberKit's implementations; a rule"),
            Figure(
                problem: "V2", name: "built in containers", values: built.map { "\($0.inContainers.count)" },
                how: "the same in the folder Containers and in the type that conforms to KooberApp"),
            Figure(
                problem: "V2", name: "parts that objects build", values: built.map { "\($0.parts.count)" },
                how: "the same for what is general, outside of containers: these belong to who builds them"),
            Figure(
                problem: "V2", name: "variables others can set",
                values: settable.map { "\($0.places.count) of \($0.variables)" },
                how: "stored variables of classes and actors that are not private, and not private(set)"),
        ]
    }

    private var sharing: [Figure] {
        let modules = koober.architectures
        let shared = modules.map { SharedState($0) }
        let copies = modules.map { module in
            Duplication(of: module, in: koober.modules.filter { $0.name != module.name })
        }
        let own = modules.map { Duplication(of: $0, in: [$0]) }
        let run = "tokens in runs of \(Duplication.length) and more, imports and comments left out, that also stand in "
        return [
            Figure(
                problem: "V3", name: "global and static variables", values: shared.map { "\($0.mutableGlobals.count)" },
                how: "var at the level of a file, and stored static var; a rule"),
            Figure(
                problem: "V3", name: "unchecked promises", values: shared.map { "\($0.unchecked.count)" },
                how: "@unchecked and nonisolated(unsafe)"),
            Figure(
                problem: "V3", name: "locks", values: shared.map { "\($0.locks.count)" },
                how: "Mutex, NSLock, NSRecursiveLock, OSAllocatedUnfairLock, DispatchSemaphore"),
            Figure(
                problem: "V4", name: "features known to general code",
                values: modules.map { "\(Constructions($0, model: koober.kit).misplaced.count)" },
                how: "types of other folders named in those of what is general; a rule"),
            Figure(
                problem: "V4", name: "repeated from other modules",
                values: copies.map { String(format: "%.1f %%", $0.percent) },
                how: run + "another architecture, KooberKit, KooberScreens or KooberClient"),
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
                problem: "V5", name: "implementations named", values: references.map { "\($0.implementations.count)" },
                how: "types of KooberKit that conform to one of its protocols, named in the module; a rule"),
            Figure(
                problem: "V6", name: "imports of another", values: references.map { "\($0.siblingImports.count)" },
                how: "imports of another architecture; a rule"),
            Figure(
                problem: "V6", name: "features naming another",
                values: koober.architectures.map { "\(Features($0).crossings.count)" },
                how:
                    "types of one feature's folder named in another's, each file and type once; a rule"
            ),
        ]
    }

    private var testing: [Figure] {
        let tests = koober.architectures.map { module in
            UnitTests(koober.tests, folders: [String(module.name.dropFirst("Koober".count)), "Scenarios"])
        }
        var figures = [
            Figure(
                problem: "V7", name: "test files without I/O",
                values: tests.map { "\($0.files - $0.touching.count) of \($0.files)" },
                how:
                    "of its own folder and the scenarios that all share; the others name a network, a file or a process"
            )
        ]
        if let builds {
            figures += [
                Figure(
                    problem: "V8", name: "build of the whole package", values: [builds.whole.seconds],
                    how: "swift build of Client in a scratch folder that was cleaned, once"),
                Figure(
                    problem: "V8", name: "after touching one file", values: builds.incremental.map(\.seconds),
                    how: "touched, then swift build --target, the median of three; touched were "
                        + builds.leaves.joined(separator: ", ")),
            ]
        }
        return figures + [
            Figure(
                problem: "V8", name: "lines compiled together", values: each { "\($0.lineCount)" },
                how: "of the module: at most these are compiled again after a change in it"),
            Figure(
                problem: "V9", name: "features with a kind of their own",
                values: each { module in
                    let counts = Features(module).counts
                    return "\(counts.count { !$0.value.isEmpty }) of \(Features.names.count)"
                }, how: "features with a type or file whose name ends with that of a kind; which ones, see below"),
        ]
    }

    private var agility: [Figure] {
        let references = koober.architectures.map {
            References($0, siblings: [], model: koober.kit, wire: koober.wire)
        }
        let choices = Choices(koober.modules)
        let inside = Set(koober.architectures.map(\.name))
        return [
            Figure(
                problem: "A1", name: "types of the wire", values: references.map { "\($0.wireTypes.count)" },
                how: "public types of PouchWire and PouchContract named in the module, and imports of these; a rule"),
            Figure(
                problem: "A1", name: "places that name a coder",
                values: each { module in "\(choices.coders.count { $0.module == module.name })" },
                how: "calls of initializers of types that conform to UserSessionCoding: they change with the coder"),
            Figure(
                problem: "A2", name: "places that name a data store",
                values: each { module in "\(choices.dataStores.count { $0.module == module.name })" },
                how: "calls of initializers of types that conform to UserSessionDataStore: they change with the store"),
            Figure(
                problem: "A2", name: "the same, outside of them",
                values: ["\(choices.dataStores.count { !inside.contains($0.module) })"],
                how: "in KooberKit, KooberScreens and KooberClient; which ones, see below"),
            Figure(
                problem: "A3", name: "places that a build flag decides", values: ["\(choices.flags.count)"],
                how: "conditions of the build in any of the modules, but those on the system; which ones, see below"),
            Figure(
                problem: "A3", name: "places where a value selects", values: ["\(choices.selections.count)"],
                how: "functions make… of enums in any of the modules; which ones, see below"),
        ]
    }

    private func matrix(_ module: Module) -> Table {
        let counts = Features(module).counts
        let roles = Features.roles.filter { role in counts.values.contains { $0[role] != nil } }
        return Table(
            head: [""] + roles,
            rows: Features.names.map { feature in
                [feature.title] + roles.map { counts[feature.title]?[$0].map(String.init) ?? "" }
            })
    }

    private var places: [String] {
        let choices = Choices(koober.modules)
        var found: [(String, [Place])] = []
        for module in koober.architectures {
            found.append(("V2 part", Constructions(module, model: koober.kit).parts))
            found.append(("V2 settable", SettableState(module).places))
            found.append(("V3 lock", SharedState(module).locks))
        }
        found.append(("A1 coder", choices.coders))
        found.append(("A2 data store", choices.dataStores))
        found.append(("A3 flag", choices.flags))
        found.append(("A3 selection", choices.selections))
        return found.flatMap { name, places in places.map { "\(name): \($0)" } }
    }

    private func percent(_ part: Int, of whole: Int) -> String {
        whole == 0 ? "-" : "\(100 * part / whole) %"
    }
}

extension Duration {
    fileprivate var seconds: String { String(format: "%.1f s", self / .seconds(1)) }
}
