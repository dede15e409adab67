import KooberKit
import KooberScreens

/// Composes the screen of what the views show, and passes each intention to the view that handles it.
@MainActor
final class Window: MainUserInterface {
    private var content: KooberScreen.Content?
    private var error: ErrorMessage?
    private var profile: ProfileScreen?
    private weak var contentView: View?
    private weak var errorResponder: (any ErrorInteractionResponder)?
    private weak var profileView: View?
    private var isPerforming = false
    private let streams = ScreenStreams()

    /// nil before the first content.
    var screen: KooberScreen? {
        content.map {
            KooberScreen(
                $0, profile: profile, error: error.map { ErrorNote(title: $0.title, message: $0.message) })
        }
    }

    func screens() -> AsyncStream<KooberScreen> {
        streams.stream(from: screen)
    }

    // MARK: Output

    /// - Parameter errorResponder: notified when the user acknowledges the error.
    func show(
        _ content: KooberScreen.Content, error: ErrorMessage?, in view: View,
        errorResponder: (any ErrorInteractionResponder)?
    ) {
        change {
            self.content = content
            self.error = error
            contentView = view
            self.errorResponder = errorResponder
        }
    }

    func show(_ profile: ProfileScreen?, in view: View) {
        change {
            self.profile = profile
            profileView = view
        }
    }

    func clear() {
        change {
            content = nil
            error = nil
            profile = nil
        }
    }

    /// Publishes the change. Changes during an intention are published together, when the turn of the main actor ends.
    private func change(_ change: () -> Void) {
        guard !isPerforming else { return change() }
        // The changes of an earlier turn may not be published yet.
        publish()
        change()
        publish()
    }

    private func publish() {
        if let screen { streams.show(screen) }
    }

    // MARK: Input

    func perform(_ intention: Intention) {
        isPerforming = true
        if intention == .acknowledgeError {
            if let error { errorResponder?.finishedPresenting(error) }
        } else if profileView?.perform(intention) != true {
            _ = contentView?.perform(intention)
        }
        isPerforming = false
        Task { publish() }
    }
}

/// A part of the window. It shows what its controller renders, and passes intentions to its responder.
@MainActor
class View {
    let window: Window

    init(window: Window) { self.window = window }

    /// - Returns: whether this view handled the intention.
    func perform(_ intention: Intention) -> Bool { false }
}

/// The window, as the main controller knows it.
@MainActor
protocol MainUserInterface: AnyObject {
    /// Removes the screens of the part that ends, without showing an empty screen.
    func clear()
}
