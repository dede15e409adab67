/// While nobody is signed in.
public struct OnboardingState: Equatable, Sendable {
    /// A form is gone, with its errors, when another screen is shown.
    public enum Screen: Equatable, Sendable {
        case welcoming
        case signingIn(FormState)
        case signingUp(FormState)
    }

    public internal(set) var screen = Screen.welcoming
    /// Of the session before.
    public internal(set) var errors: [ErrorToPresent] = []

    /// The form that is shown.
    public internal(set) var form: FormState? {
        get {
            switch screen {
            case .welcoming: nil
            case .signingIn(let form), .signingUp(let form): form
            }
        }
        set {
            guard let newValue else { return }
            switch screen {
            case .welcoming: break
            case .signingIn: screen = .signingIn(newValue)
            case .signingUp: screen = .signingUp(newValue)
            }
        }
    }

    func isSending(_ request: SerialNumber) -> Bool {
        form?.progress == .sending(request)
    }

    var errorsToPresent: [ErrorToPresent] {
        errors + (form?.errors ?? [])
    }
}
