import KooberKit
import KooberScreens

/// What shows the views: puts together what a user sees, and passes on what they want to the view that it concerns.
@MainActor
final class Window {
    private var content: KooberScreen.Content?
    private var error: ErrorMessage?
    private var profile: ProfileScreen?
    private weak var contentView: (any View)?
    private weak var errorResponder: (any ErrorInteractionResponder)?
    private weak var profileView: (any View)?
    private var isPerforming = false
    private let streams = ScreenStreams()

    /// nil while there is no content.
    var screen: KooberScreen? {
        content.map {
            KooberScreen(
                $0, profile: profile, error: error.map { ErrorNote(title: $0.title, message: $0.message) })
        }
    }

    func screens() -> AsyncStream<KooberScreen> {
        streams.stream(from: screen)
    }

    // MARK: What is seen

    /// - Parameter errorResponder: told when the user has read the error.
    func show(
        _ content: KooberScreen.Content, error: ErrorMessage?, in view: any View,
        errorResponder: (any ErrorInteractionResponder)?
    ) {
        change {
            self.content = content
            self.error = error
            contentView = view
            self.errorResponder = errorResponder
        }
    }

    func show(_ profile: ProfileScreen?, in view: any View) {
        change {
            self.profile = profile
            profileView = view
        }
    }

    /// Nothing is seen of that until there is content again.
    func clear() {
        change {
            content = nil
            error = nil
            profile = nil
        }
    }

    /// What changes while an intention is performed is seen together, at the end of the turn of the main actor.
    private func change(_ change: () -> Void) {
        guard !isPerforming else { return change() }
        // What an earlier turn has left.
        show()
        change()
        show()
    }

    private func show() {
        if let screen { streams.show(screen) }
    }

    // MARK: What is wanted

    func perform(_ intention: Intention) {
        isPerforming = true
        if intention == .acknowledgeError {
            if let error { errorResponder?.finishedPresenting(error) }
        } else if profileView?.perform(intention) != true {
            _ = contentView?.perform(intention)
        }
        isPerforming = false
        Task { show() }
    }
}

@MainActor
protocol View: AnyObject {
    /// - Returns: whether it is for this view.
    func perform(_ intention: Intention) -> Bool
}

extension View {
    func perform(_ intention: Intention) -> Bool { false }
}

extension Window: MainUserInterface {}
