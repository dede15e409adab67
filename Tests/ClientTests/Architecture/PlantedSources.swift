@testable import architecture

/// An app of a few files, as those that are measured.
struct PlantedSources {
    var kit = [
        "Account/UserSessionRepository.swift": "public protocol UserSessionRepository {}",
        "Account/KooberUserSessionRepository.swift":
            "public actor KooberUserSessionRepository: UserSessionRepository {}",
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
        """,
        "Onboarding/FormState.swift": "struct FormState {\n    static let idle = FormState()\n}\n",
        "SignedIn/Profile/ProfileViewModel.swift": "final class ProfileViewModel {}",
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
