import KooberKit
import KooberMVVMCore
import KooberScreens

/// Reads the stored session, and continues with or without one.
@MainActor
public final class LaunchViewModel {
    private let notSignedInResponder: any NotSignedInResponder
    private let signedInResponder: any SignedInResponder
    private let errorMessages: ErrorMessages
    private let loading = LatestTask()

    /// Starts reading.
    public init(
        userSessionRepository: any UserSessionRepository, notSignedInResponder: any NotSignedInResponder,
        signedInResponder: any SignedInResponder, errorMessages: ErrorMessages
    ) {
        self.notSignedInResponder = notSignedInResponder
        self.signedInResponder = signedInResponder
        self.errorMessages = errorMessages
        loading.run(for: self) { current in
            do throws(ErrorMessage) {
                if let userSession = try await userSessionRepository.readUserSession() {
                    current()?.signedInResponder.signedIn(to: userSession)
                } else {
                    current()?.notSignedInResponder.notSignedIn(nil)
                }
            } catch {
                current()?.present(error)
            }
        }
    }

    private func present(_ errorMessage: ErrorMessage) {
        errorMessages.present(errorMessage) { [weak self] in self?.notSignedInResponder.notSignedIn(nil) }
    }
}

package final class LaunchViewController: ScreenView {
    private let viewModel: LaunchViewModel

    package init(viewModel: LaunchViewModel, in display: any Display) {
        self.viewModel = viewModel
        super.init(in: display)
        display.show(.launching)
    }
}
