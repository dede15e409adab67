import KooberKit
import KooberMVVMCore
import KooberScreens
import Observation
import PouchEntities

/// Sends a form, one attempt at a time, until the user is signed in.
@MainActor
@Observable
public final class FormSubmission {
    public private(set) var form = FormScreen()
    private let signedInResponder: any SignedInResponder
    private let errorMessages: ErrorMessages
    private let sending = LatestTask()

    public init(signedInResponder: any SignedInResponder, errorMessages: ErrorMessages) {
        self.signedInResponder = signedInResponder
        self.errorMessages = errorMessages
    }

    /// Does nothing while the form is being sent.
    ///
    /// - Parameter input: throws if it is incomplete, in which case it is not sent.
    func send<Input: Sendable>(
        _ input: @autoclosure () throws(ErrorMessage) -> Input,
        to call: @escaping @Sendable (Input) async throws(ErrorMessage) -> UserSession
    ) {
        guard !form.isBusy else { return }
        let complete: Input
        do { complete = try input() } catch { return fail(error) }
        form = FormScreen(isBusy: true)
        sending.run(for: self) { current in
            do throws(ErrorMessage) {
                let userSession = try await call(complete)
                current()?.signedInResponder.signedIn(to: userSession)
            } catch {
                current()?.fail(error)
            }
        }
    }

    /// Shows the problems of the input next to its fields, and every other error over the form.
    private func fail(_ error: ErrorMessage) {
        form = FormScreen(problems: error.fields)
        if error.fields.isEmpty { errorMessages.present(error) }
    }
}
