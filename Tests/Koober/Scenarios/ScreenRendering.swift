import KooberScreens
import KooberTexts
import Testing

/// A way in which a user sees an app and acts on it.
@MainActor public protocol ScreenRendering {
    /// Requires that the user sees this screen of the app.
    func shows(_ screen: KooberScreen, of app: any KooberApp, _ location: SourceLocation) async throws
    /// Does what a user does for the intention, and returns once the app has received it.
    func performs(_ intention: Intention, on app: any KooberApp, _ location: SourceLocation) async throws
    /// Gives up all references to the app. Another one may follow.
    func isReleased()
}

/// Draws each screen for a terminal, and tells the app the intentions itself.
public struct TerminalRendering: ScreenRendering {
    private let language: Language

    public init(in language: Language = .english) { self.language = language }

    public func shows(_ screen: KooberScreen, of app: any KooberApp, _ location: SourceLocation) {
        DrawnScreen(screen, in: language).check(location)
    }

    public func performs(_ intention: Intention, on app: any KooberApp, _ location: SourceLocation) throws {
        try app.perform(intention)
    }

    public func isReleased() {}
}
