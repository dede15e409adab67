/// The window that all the app's screens are shown in.
@MainActor
public protocol MainUserInterface: AnyObject {
    /// Takes away what the part before has left; the screens of the new part follow.
    func render(newState: MainViewState)
}

public enum MainViewState: Sendable, Equatable {
    case launching
    case onboarding
    case signedIn

    init(_ state: MainState) {
        self =
            switch state {
            case .launching: .launching
            case .onboarding: .onboarding
            case .signedIn: .signedIn
            }
    }
}
