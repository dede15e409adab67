import ClientTesting
import Testing

@testable import architecture

struct RulesTests {
    struct Planted: Sendable, CustomTestStringConvertible {
        let rule: String
        let path: String
        let line: Int
        let what: String
        let source: String

        init(_ rule: String, _ path: String, line: Int, _ what: String, _ source: String) {
            (self.rule, self.path, self.line, self.what, self.source) = (rule, path, line, what, source)
        }

        var testDescription: String { rule + ": " + what }
    }

    @Test func `an app that follows the rules breaks none`() {
        #expect(PlantedSources().rules.violations.map(\.rule) == [])
    }

    @Test(
        arguments: [
            Planted(
                "V2", "Views/SignInView.swift", line: 2, "SignInViewModel",
                "struct SignInView {\n    let viewModel = SignInViewModel(repository: repository)\n}"),
            Planted(
                "V2", "Views/SignInView.swift", line: 1, "SignInViewModel",
                "let viewModel = SignInViewModel.init(repository: r)"),
            Planted("V3", "Onboarding/Shared.swift", line: 3, "shared", "import KooberKit\n\nvar shared = 1"),
            Planted(
                "V3", "Onboarding/Shared.swift", line: 3, "one",
                "enum Shared {\n    struct Inner {\n        nonisolated(unsafe) static var one: Int?\n    }\n}"),
            Planted("V4", "Work/Retries.swift", line: 2, "FormState", "struct Retries {\n    let form: FormState\n}"),
            Planted(
                "V4", "Onboarding/Check.swift", line: 2, "isEmpty",
                "func check() {\n    if email.isEmpty { return }\n}"),
            Planted(
                "V4", "Onboarding/Check.swift", line: 1, "trimmingCharacters",
                "let name = name.trimmingCharacters(in: .whitespaces)"),
            Planted("V4", "Onboarding/Check.swift", line: 1, "\"", "let text = \"Enter your name.\""),
            Planted(
                "V5", "Views/Other.swift", line: 1, "KooberUserSessionRepository",
                "let repository: KooberUserSessionRepository"),
            Planted(
                "V5", "Containers/SignedIn.swift", line: 2, "KooberUserSessionRepository",
                "let one = KooberUserSessionRepository()\nlet two = KooberUserSessionRepository()"),
            Planted("V6", "Views/Other.swift", line: 2, "KooberRedux", "import KooberKit\nimport KooberRedux"),
            Planted("V6", "SignedIn/Profile/Back.swift", line: 1, "SignInViewModel", "let shown: SignInViewModel"),
            Planted("V6", "SignedIn/ProfileButton.swift", line: 1, "SignInViewModel", "let shown: SignInViewModel"),
            Planted("V6", "Onboarding/Welcome.swift", line: 1, "ProfileViewModel", "let next: ProfileViewModel"),
            Planted(
                "V6", "Profile/Other.swift", line: 2, "KooberMVVMOnboarding",
                "import KooberMVVMCore\nimport KooberMVVMOnboarding"),
            Planted(
                "V9", "WaitingForPickup/Waiting.swift", line: 1, "WaitingForPickup without ViewController",
                "final class WaitingViewModel {}"),
            Planted(
                "MVVM", "Onboarding/SignIn/Late.swift", line: 2, "form",
                "final class LateViewModel {\n    var form: Form {\n        work.run(for: self) {}\n    }\n}"),
            Planted(
                "MVVM", "Onboarding/SignIn/Late.swift", line: 2, "form",
                "final class LateViewModel {\n    var form: Form {\n        reads += 1\n        return it\n    }\n}"),
            Planted(
                "Redux", "Views/Counter.swift", line: 2, "count",
                "final class CounterView: StateView {\n    private var count = 0\n}"),
            Planted(
                "Redux", "Views/Counter.swift", line: 2, "store",
                "final class CounterView: StateView {\n    func show() { draw(store.state) }\n}"),
            Planted(
                "Redux, Elements", "Onboarding/Keep.swift", line: 2, "save",
                "func keep() async throws {\n    try await dataStore.save(session)\n}"),
            Planted("A1", "Onboarding/Send.swift", line: 1, "PouchContract", "import PouchContract"),
            Planted("A1", "Onboarding/Send.swift", line: 1, "SignInRequest", "let request: SignInRequest"),
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

    static func module(_ files: [String: String]) -> Module { module("M", files) }
    static func module(_ name: String, _ files: [String: String]) -> Module {
        Module(name: name, files: files.map { SourceFile(path: $0.key, source: $0.value) })
    }
}
