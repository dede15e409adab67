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
            self?.goToNextScreen($0)
        }
    }

    private func goToNextScreen(_ userSession: Result<UserSession?, ErrorMessage>) {
        switch userSession {
        case .success(let userSession?): try? signedInResponder.signedIn(to: userSession)
        case .success(nil): notSignedInResponder.notSignedIn(nil)
        case .failure(let errorMessage):
            errorMessages.present(errorMessage) { [weak self] in self?.notSignedInResponder.notSignedIn(nil) }
        }
    }
}

final class LaunchViewController: ViewController {
    private let viewModel: LaunchViewModel

    init(viewModel: LaunchViewModel) {
        self.viewModel = viewModel
        viewModel.loadUserSession()
    }

    var errorMessages: [ErrorMessages] { [viewModel.errorMessages] }
    var content: KooberScreen { KooberScreen(.launching) }
}
