import ClientTesting
import Testing

@testable import architecture

struct RulesTests {
    struct Planted: Sendable, CustomTestStringConvertible {
        let rule: String
        let path: String
        let source: String
        let line: Int
        let what: String

        var testDescription: String { rule + ": " + what }
    }

    @Test func `an app that follows the rules breaks none`() {
        #expect(PlantedSources().rules.violations.map(\.rule) == [])
    }

    @Test(
        arguments: [
            Planted(
                rule: "V2", path: "Views/SignInView.swift",
                source: "struct SignInView {\n    let viewModel = SignInViewModel(repository: repository)\n}", line: 2,
                what: "SignInViewModel"),
            Planted(
                rule: "V2", path: "Views/SignInView.swift",
                source: "let viewModel = SignInViewModel.init(repository: r)",
                line: 1, what: "SignInViewModel"),
            Planted(
                rule: "V3", path: "Onboarding/Shared.swift", source: "import KooberKit\n\nvar shared = 1", line: 3,
                what: "shared"),
            Planted(
                rule: "V3", path: "Onboarding/Shared.swift",
                source: "enum Shared {\n    struct Inner {\n        nonisolated(unsafe) static var one: Int?\n    }\n}",
                line: 3, what: "one"),
            Planted(
                rule: "V4", path: "Work/Retries.swift", source: "struct Retries {\n    let form: FormState\n}", line: 2,
                what: "FormState"),
            Planted(
                rule: "V4", path: "Onboarding/Check.swift",
                source: "func check() {\n    if email.isEmpty { return }\n}",
                line: 2, what: "isEmpty"),
            Planted(
                rule: "V4", path: "Onboarding/Check.swift",
                source: "let name = name.trimmingCharacters(in: .whitespaces)",
                line: 1, what: "trimmingCharacters"),
            Planted(
                rule: "V4", path: "Onboarding/Check.swift", source: "let text = \"Enter your name.\"", line: 1,
                what: "\""),
            Planted(
                rule: "V5", path: "Views/Other.swift", source: "let repository: KooberUserSessionRepository",
                line: 1, what: "KooberUserSessionRepository"),
            Planted(
                rule: "V5", path: "Containers/SignedIn.swift",
                source: "let one = KooberUserSessionRepository()\nlet two = KooberUserSessionRepository()", line: 2,
                what: "KooberUserSessionRepository"),
            Planted(
                rule: "V6", path: "Views/Other.swift", source: "import KooberKit\nimport KooberRedux", line: 2,
                what: "KooberRedux"),
            Planted(
                rule: "V6", path: "SignedIn/Profile/Back.swift", source: "let shown: SignInViewModel", line: 1,
                what: "SignInViewModel"),
            Planted(
                rule: "V6", path: "SignedIn/ProfileButton.swift", source: "let shown: SignInViewModel", line: 1,
                what: "SignInViewModel"),
            Planted(
                rule: "V6", path: "Onboarding/Welcome.swift", source: "let next: ProfileViewModel", line: 1,
                what: "ProfileViewModel"),
            Planted(
                rule: "V6", path: "Profile/Other.swift", source: "import KooberMVVMCore\nimport KooberMVVMOnboarding",
                line: 2, what: "KooberMVVMOnboarding"),
            Planted(
                rule: "V9", path: "WaitingForPickup/Waiting.swift", source: "final class WaitingViewModel {}", line: 1,
                what: "WaitingForPickup without ViewController"),
            Planted(
                rule: "MVVM", path: "Onboarding/SignIn/Late.swift",
                source: "final class LateViewModel {\n    var form: Form {\n        work.run(for: self) {}\n    }\n}",
                line: 2, what: "form"),
            Planted(
                rule: "MVVM", path: "Onboarding/SignIn/Late.swift",
                source:
                    "final class LateViewModel {\n    var form: Form {\n        reads += 1\n        return it\n    }\n}",
                line: 2, what: "form"),
            Planted(
                rule: "Redux", path: "Views/Counter.swift",
                source: "final class CounterView: StateView {\n    private var count = 0\n}", line: 2, what: "count"),
            Planted(
                rule: "Redux", path: "Views/Counter.swift",
                source: "final class CounterView: StateView {\n    func show() { draw(store.state) }\n}", line: 2,
                what: "store"),
            Planted(
                rule: "Redux, Elements", path: "Onboarding/Keep.swift",
                source: "func keep() async throws {\n    try await dataStore.save(session)\n}", line: 2, what: "save"),
            Planted(
                rule: "A1", path: "Onboarding/Send.swift", source: "import PouchContract", line: 1,
                what: "PouchContract"),
            Planted(
                rule: "A1", path: "Onboarding/Send.swift", source: "let request: SignInRequest", line: 1,
                what: "SignInRequest"),
        ])
    func `a planted violation is found at its place`(_ planted: Planted) {
        var fixture = PlantedSources()
        fixture.app[planted.path] = planted.source
        let violations = fixture.rules.violations
        #expect(violations.map { String($0.rule.prefix { $0 != ":" }) } == [planted.rule])
        #expect(
            violations.flatMap(\.places) == [
                Place(module: "KooberMVVM", path: planted.path, line: planted.line, what: planted.what)
            ])
    }

    @Test(
        arguments: [
            "// SignInViewModel(repository: r), import KooberRedux",
            "/* var shared = 1 /* nested */ SignInRequest */",
            "let text = \"SignInViewModel(\\\"SignInRequest\"",
            "let text = \"\"\"\n    SignInViewModel(repository:\"r\")\n    \"\"\"",
            "let text = #\"SignInViewModel(\\( \"#",
            "enum Shared {\n    static var one: Int { 1 }\n    static let two = 2\n}",
            "func f() {\n    var local = 1\n    local += 1\n}",
            "var computed: Int {\n    1\n}",
            "final class RowViewModel {\n    var form: Form {\n        let a = b\n        return a == b ? c : d\n    }\n}",
            "final class RowViewModel {\n    var form = Form() {\n        didSet { count = 1 }\n    }\n}",
            "if errors.isEmpty { show(\"ok\") }",
            "@TaskLocal static var current: Int?",
            "final class AView: StateView {\n    private var child: StateView?\n}",
        ])
    func `text that only looks like a violation is none`(_ source: String) {
        var fixture = PlantedSources()
        fixture.app["Views/Looks.swift"] = source
        #expect(fixture.rules.violations.flatMap(\.places) == [])
    }

    @Test func `a violation in a string interpolation is found`() {
        var fixture = PlantedSources()
        fixture.app["Views/Label.swift"] = "let text = \"made \\(SignInViewModel(repository: \"r\"))\""
        #expect(fixture.rules.violations.flatMap(\.places).map(\.what) == ["SignInViewModel"])
    }
}

/// A small app with a kit, which follows the rules.
struct PlantedSources {
    var kit = [
        "Account/UserSessionRepository.swift": "public protocol UserSessionRepository {}",
        "Account/KooberUserSessionRepository.swift":
            "public actor KooberUserSessionRepository: UserSessionRepository {}",
        "Account/AccountForms.swift":
            "public struct NewAccount {\n    public let name: String\n    public let email: String\n}",
    ]
    var app = [
        "App.swift": """
        import KooberKit
        public final class App: KooberApp { let container = AppContainer() }
        """,
        "Containers/AppContainer.swift": """
        final class AppContainer { func make() -> SignInViewModel { SignInViewModel(repository: repository) } }
        """,
        "Onboarding/SignIn/SignInViewModel.swift": """
        import KooberKit
        final class SignInViewModel {
            private let repository: any UserSessionRepository
            private let work = LatestWork()
            private(set) var form = FormState()
        }
        final class SignInViewController {}
        """,
        "Onboarding/FormState.swift": "struct FormState {\n    static let idle = FormState()\n}\n",
        "SignedIn/Profile/ProfileViewModel.swift":
            "final class ProfileViewModel {}\nfinal class ProfileViewController {}",
        "Work/LatestWork.swift": "final class LatestWork {}",
    ]

    var kitModule: Module { Self.module("KooberKit", kit) }
    var appModule: Module { Self.module("KooberMVVM", app) }
    var rules: Rules {
        Rules(
            architectures: [appModule, Self.module("KooberRedux", [:])], kit: kitModule,
            wire: [Self.module("PouchContract", ["SignInRequest.swift": "public struct SignInRequest {}"])])
    }

    static func module(_ name: String, _ files: [String: String]) -> Module {
        Module(name: name, files: files.map { SourceFile(path: $0.key, source: $0.value) })
    }
}
