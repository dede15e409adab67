import ClientTesting
import Testing

@testable import architecture

struct MeasureTests {
    @Test func `the reading set follows names until no file is added`() {
        var fixture = PlantedSources()
        fixture.kit["Account/UserSessionRepository.swift"] =
            "public protocol UserSessionRepository { var it: Secret { get } }"
        fixture.kit["Account/Secret.swift"] = "public struct Secret {}"
        let set = ReadingSet(feature: "SignIn", in: fixture.appModule, model: fixture.kitModule)
        #expect(set.own.map(\.concept) == ["SignInViewModel"])
        #expect(set.direct.map(\.concept) == ["FormState", "SignInViewModel", "LatestWork", "UserSessionRepository"])
        #expect(
            set.whole.map(\.concept) == [
                "FormState", "SignInViewModel", "LatestWork", "Secret", "UserSessionRepository",
            ])
        #expect(set.own.lineCount == 6)
    }

    @Test func `the size of a type includes its extensions`() {
        let sizes = TypeSizes(
            PlantedSources.module([
                "A.swift": "public struct A {\n    public let one: Int\n    let two: Int\n}\n",
                "A+B.swift": "extension A {\n    public func b() {\n        public1()\n    }\n}\n",
                "P.swift": "public protocol P {\n    func one()\n    var two: Int { get }\n    init()\n}",
            ]))
        #expect(sizes.longest.name == "A" && sizes.longest.lines == 9)
        #expect(sizes.maxWidth.name == "P" && sizes.maxWidth.publicMembers == 3)
    }

    @Test func `a variable that is not private can be set by others`() {
        let source = """
            final class A {
                var open = 1
                weak var delegate: Delegate?
                private(set) var shown = 1 {
                    didSet { var changed = shown }
                }
                public internal(set) var inside: [String: Int] = [:]
                private var hidden: () -> Void = { var local = 1 }
                var computed: Int { hidden }
                let constant = 1
                static var global = 1
            }
            struct Value { var free = 1 }
            """
        let settable = SettableState(PlantedSources.module(["A.swift": source]))
        #expect(settable.places.map(\.what) == ["open", "delegate", "inside"])
        #expect(settable.variables == 5)
    }

    @Test func `shared state counts even with unchecked claims`() {
        let source = """
            final class A: @unchecked Sendable {
                private let lock = NSLock()
                private let state = Mutex<Int>(1)
            }
            nonisolated(unsafe) var shared = 1
            """
        let state = SharedState(PlantedSources.module(["A.swift": source]))
        #expect(state.mutableGlobals.map(\.line) == [5])
        #expect(state.unchecked.map(\.line) == [1, 5])
        #expect(state.locks.map(\.line) == [2, 3])
    }

    @Test func `repeated code is found with any spacing`() {
        let words = (0..<Duplication.length).map { "word\($0)" }
        let one = PlantedSources.module(
            "One",
            [
                "A.swift": "import Foundation\nfirst " + words.joined(separator: " ") + " last",
                "B.swift": words.dropFirst().joined(separator: " "),
            ])
        let two = PlantedSources.module("Two", ["C.swift": words.joined(separator: "\n// why\n")])
        let across = Duplication(of: one, in: [two])
        #expect(across.repeated == Duplication.length)
        #expect(across.tokens == 2 * Duplication.length + 1)
        #expect(Duplication(of: one, in: [one]).repeated == 0)
        #expect(
            Duplication(of: one, in: [one], length: Duplication.shortLength).repeated == 2 * (Duplication.length - 1))
    }

    @Test func `a type belongs to the feature of its folder, its file or its name`() {
        var fixture = PlantedSources()
        fixture.app["SignedIn/Profile/ProfileReducer.swift"] = "extension Reducers { static let profile = 1 }"
        fixture.app["Views/ProfileView.swift"] = "final class ProfileView {}"
        fixture.app["Onboarding/Welcome.swift"] = "final class WelcomeViewModel {}\nstruct FirstView {}"
        fixture.app["Views/Shared.swift"] = "final class LaunchView {}\nfinal class OtherView {}"
        fixture.app["Containers/LaunchContainer.swift"] = "final class ContainerView {}"
        let features = Features(fixture.appModule)
        #expect(features.counts["SignIn"] == ["ViewModel": 1, "ViewController": 1])
        #expect(features.counts["Profile"] == ["ViewModel": 1, "ViewController": 1, "Reducer": 1, "View": 1])
        #expect(features.counts["Onboarding"] == ["State": 1])
        #expect(features.counts["Welcome"] == ["ViewModel": 1, "View": 1])
        #expect(features.counts["Launch"] == ["View": 1])
    }

    @Test func `a feature that names the whole around it is counted apart`() {
        var fixture = PlantedSources()
        fixture.app["SignedIn/SignedIn.swift"] = "struct SignedInState { let profile: ProfileViewModel }"
        fixture.app["SignedIn/Profile/ProfileState.swift"] = "let whole: SignedInState"
        let features = Features(fixture.appModule)
        #expect(features.crossings == [])
        #expect(features.upward.map(\.what) == ["FormState", "SignedInState"])
    }

    @Test func `a feature lacks the kinds that none of its types has`() {
        let controller = "final class ProfileController {}\nstruct SignOutUseCase {}"
        let files = ["SignedIn/Profile.swift": controller, "Launch.swift": "final class LaunchController {}"]
        let features = Features(PlantedSources.module("KooberElements", files))
        #expect(features.incomplete.map(\.what) == ["Launch without UseCase"])
    }

    @Test func `tests that use a disk or a network are counted apart`() {
        let tests = PlantedSources.module(["A.swift": "let a = 1", "B.swift": "let files = FileManager.default"])
        let scenarios = PlantedSources.module(["C.swift": "import NIOCore", "D.swift": "// URLSession"])
        let unit = UnitTests([tests, scenarios])
        #expect(unit.files == 4)
        #expect(unit.touching.map(\.path) == ["B.swift", "C.swift"])
    }

    @Test func `a folder without sources is not a module`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: NoSources.self) { try Module(name: "Moved", folder: folder.url) }
    }

    @Test func `owners of state that no test names are reported`() {
        let module = PlantedSources.module([
            "A.swift": "final class A { private var one = 1 }\nactor B { var two = 2 }",
            "C.swift": "final class C { let three = 3 }\nstruct D { var four = 4 }",
        ])
        let owners = StateOwners(module, tests: PlantedSources.module(["BTests.swift": "let b = B() // A"]))
        #expect(owners.places.map(\.what) == ["A", "B"])
        #expect(owners.untested.map(\.what) == ["A"])
    }

    @Test func `an implementation is replaced at the places that build it`() {
        var fixture = PlantedSources()
        fixture.kit["Store.swift"] = "public protocol Store {}\npublic struct NoStore: Store { init() {} }"
        let client = PlantedSources.module([
            "Model.swift": "let repository = KooberUserSessionRepository(store: FileStore())\nlet shown: FileStore",
            "Store.swift": "struct FileStore: Store {}\nlet other = FileStore()",
        ])
        let found = Replacements(in: [fixture.kitModule, client], of: fixture.kitModule)
        #expect(
            found.places.mapValues { $0.map(\.line) } == ["KooberUserSessionRepository": [1], "FileStore": [1, 2]])
    }

    @Test func `choices are found at the places that make them`() {
        let source = """
            enum Choice {
                case file, memory
                func makeDataStore(coder: JSONCoder = JSONCoder()) -> any UserSessionDataStore {
                    #if STORE_IN_FILES || (!DEBUG && canImport(Security))
                        return FileDataStore(MAX_SIZE)
                    #elseif os(Linux) || Program
                    #endif
                }
            }
            """
        let choices = Choices([
            PlantedSources.module([
                "Choice.swift": source, "Coder.swift": "struct JSONCoder: UserSessionCoding {}",
                "Store.swift": "actor FileDataStore: UserSessionDataStore {}",
            ])
        ])
        #expect(choices.coders.map(\.line) == [3])
        #expect(choices.flags.map(\.what) == ["STORE_IN_FILES", "DEBUG"])
        #expect(choices.dataStores.map(\.line) == [5])
        #expect(choices.selections.map(\.what) == ["Choice.makeDataStore"])
    }
}
