import KooberKit
import KooberScreens

/// The views on the display. It passes each intention to the view that handles it.
@MainActor
final class RootView: MainUserInterface {
    let display: any Display
    fileprivate(set) weak var content: View?
    fileprivate(set) weak var profile: View?

    init(in display: any Display) {
        self.display = display
    }

    func clear() {
        display.show(profile: nil)
        display.show(error: nil)
    }

    func render(isOffline: Bool) { display.show(isOffline: isOffline) }

    func perform(_ intention: Intention) {
        if profile?.perform(intention) != true { _ = content?.perform(intention) }
    }
}

@MainActor
class View {
    fileprivate let root: RootView

    fileprivate init(root: RootView) { self.root = root }

    /// - Returns: whether this view handled the intention.
    func perform(_ intention: Intention) -> Bool { false }
}

/// The view of a screen. A subclass passes the user's actions to its responder.
@MainActor
class ContentView<Responder>: View, UserInterface {
    // Held weakly, because the controller holds the view. To the compiler, the type of a protocol is not a class.
    private weak var responder: AnyObject?
    private var error: ErrorMessage?

    init(in root: RootView) { super.init(root: root) }

    final var interactionResponder: Responder? {
        get { responder as? Responder }
        set { responder = newValue as AnyObject }
    }

    final func render(newState: ScreenViewState) {
        error = newState.error
        root.content = self
        root.display.show(newState.content)
        root.display.show(error: error)
    }

    /// Acknowledges the shown error.
    override func perform(_ intention: Intention) -> Bool {
        guard intention == .acknowledgeError, let error else { return false }
        (responder as? any ErrorInteractionResponder)?.finishedPresenting(error)
        return true
    }
}

final class LaunchView: ContentView<any ErrorInteractionResponder> {}

final class GettingUserLocationView: ContentView<any ErrorInteractionResponder> {}

final class ProfileView: View, UserInterface {
    weak var interactionResponder: (any ProfileInteractionResponder)?
    private var isPresented = false

    init(in root: RootView) {
        super.init(root: root)
        root.profile = self
    }

    func render(newState: ProfileScreen?) {
        isPresented = newState != nil
        root.display.show(profile: newState)
    }

    override func perform(_ intention: Intention) -> Bool {
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
