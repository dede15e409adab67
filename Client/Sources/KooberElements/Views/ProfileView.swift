import KooberScreens

final class ProfileView: ProfileUserInterface, View {
    weak var interactionResponder: (any ProfileInteractionResponder)?
    private let window: Window
    private var isPresented = false

    init(window: Window) { self.window = window }

    func render(newState: ProfileViewState) {
        isPresented = newState.isPresented
        window.show(newState.isPresented ? ProfileScreen(newState) : nil, in: self)
    }

    func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .showProfile: interactionResponder?.showProfile()
        case .closeProfile: interactionResponder?.closeProfile()
        case .goBack where isPresented: interactionResponder?.closeProfile()
        case .signOut: interactionResponder?.signOut()
        default: return false
        }
        return true
    }
}

extension ProfileScreen {
    fileprivate init(_ state: ProfileViewState) {
        self.init(
            name: state.name, email: state.email, mobileNumber: state.mobileNumber, isSigningOut: state.isSigningOut)
    }
}
