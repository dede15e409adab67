import KooberKit
import KooberScreens
import PouchEntities

/// Reads the stored session, and continues with or without one.
@MainActor
public final class LaunchViewModel {
    public let errorMessages = ErrorMessages()
    private let userSessionRepository: any UserSessionRepository
    private let notSignedInResponder: any NotSignedInResponder
    private let signedInResponder: any SignedInResponder
    private let loading = LatestWork()

    public init(
        userSessionRepository: any UserSessionRepository,
        notSignedInResponder: any NotSignedInResponder,
        signedInResponder: any SignedInResponder
    ) {
        self.userSessionRepository = userSessionRepository
        self.notSignedInResponder = notSignedInResponder
        self.signedInResponder = signedInResponder
    }

    public func loadUserSession() {
        loading.call { [userSessionRepository] () async throws(ErrorMessage) in
            try await userSessionRepository.readUserSession()
        } then: { [weak self] in
            guard let self else { return }
            switch $0 {
            case .success(let userSession?): try? signedInResponder.signedIn(to: userSession)
            case .success(nil): notSignedInResponder.notSignedIn(nil)
            case .failure(let errorMessage):
                errorMessages.present(errorMessage) { [weak self] in self?.notSignedInResponder.notSignedIn(nil) }
            }
        }
    }
}

final class LaunchViewController: ModelViewController<LaunchViewModel>, ViewController {
    override func startWork() {
        viewModel.loadUserSession()
    }

    var errorMessages: [ErrorMessages] { [viewModel.errorMessages] }
    var content: KooberScreen { KooberScreen(.launching) }
}
