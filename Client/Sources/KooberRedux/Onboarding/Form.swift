import Foundation
import KooberKit
import KooberScreens
import PouchEntities

/// The state of the sign-in or sign-up form, without the input of the user.
public struct FormState: Equatable, Sendable {
    public enum Progress: Equatable, Sendable {
        case idle
        case sending(SerialNumber)
    }

    public internal(set) var progress = Progress.idle
    public internal(set) var errors: [ErrorToPresent] = []
}

/// The events of a form, apart from the sign-in itself.
public enum FormAction: Equatable, Sendable {
    /// A field is empty, so that the form is not sent.
    case incomplete(ErrorToPresent)
    case sending(request: SerialNumber)
    case failed(ErrorToPresent, request: SerialNumber)
}

extension Reducers {
    static func form(_ state: FormState, _ action: FormAction) -> FormState {
        var state = state
        switch (state.progress, action) {
        case (.idle, .incomplete(let error)): state.errors.append(error)
        case (.idle, .sending(let request)): state.progress = .sending(request)
        case (.sending(let request), .failed(let error, let answered)) where request == answered:
            state.progress = .idle
            state.errors.append(error)
        default: break
        }
        return state
    }
}

// MARK: User interactions

/// Sends a form, one try at a time, until the user is signed in.
@MainActor
struct FormSubmission {
    let actionDispatcher: any ActionDispatcher<OnboardingAction>
    private let sending = LatestTask()

    /// Reports an error in the form.
    func refuse(_ message: ErrorMessage) {
        actionDispatcher.dispatch(.form(.incomplete(actionDispatcher.numbered(message))))
    }

    /// Does nothing while the form is being sent.
    func send(_ call: @escaping @MainActor () async throws(ErrorMessage) -> UserSession) {
        sending.send(
            to: actionDispatcher, { .form(.sending(request: $0)) }, call: call,
            success: { [actionDispatcher] in .signedIn($0, scope: actionDispatcher.nextSerialNumber(), request: $1) },
            failure: { .form(.failed($0, request: $1)) })
    }
}

extension String {
    /// The string without blanks at its ends.
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

// MARK: Screen

extension FormScreen {
    init(_ form: FormState) {
        let isIdle = form.progress == .idle
        self.init(inputsEnabled: isIdle, buttonEnabled: isIdle, isBusy: !isIdle)
    }
}
