import KooberKit
import KooberScreens
import PouchEntities
import Testing

@testable import KooberRedux

@MainActor @Suite(.timeLimit(.minutes(5)))
struct RenderTests {
    /// An app in such a state, whose views render on a recording display.
    @MainActor private final class RenderedApp {
        let display = RecordingDisplay()
        let container: AppDependencyContainer
        private let main: MainView

        init(_ state: AppState) {
            container = AppDependencyContainer(
                model: EffectModel(), state: state, middleware: [], updates: display.updates)
            main = container.makeMainView(in: display)
            display.updates.flush()
            display.forget()
        }

        /// Returns what the views render because of the action.
        func renders(_ action: AppAction) -> [String: Int] {
            container.store.dispatch(action)
            defer { display.forget() }
            return display.renders
        }
    }

    @Test func `each action renders once each part that it changes, and nothing else`() async {
        // No view shows the tokens.
        let actions = ReachableStates.actions + [.signedIn(.sessionRenewed(SessionState(ReduxSample.renewed)))]
        for state in ReachableStates.ofEachScreen {
            await Task.yield()
            let idle = RenderedApp(state)
            for action in actions {
                let after = state.after(action)
                let renders = (after == state ? idle : RenderedApp(state)).renders(action)
                let expected = Self.expectedRenders(from: state, to: after)
                if renders != expected {
                    Issue.record(
                        "\(PrintingMiddleware.line(for: action)) renders \(renders), not \(expected): \(state)")
                }
            }
        }
    }

    private static func expectedRenders(from state: AppState, to after: AppState) -> [String: Int] {
        let (old, new) = (KooberScreen(state), KooberScreen(after))
        var renders: [String: Int] = [:]
        if old.content != new.content { renders[RecordingDisplay.name(of: new.content)] = 1 }
        if old.profile != new.profile { renders["profile"] = 1 }
        if state.errorToPresent != after.errorToPresent { renders["error"] = 1 }
        if old.isOffline != new.isOffline { renders["isOffline"] = 1 }
        // The main view removes the profile of the part before, and the profile's own view shows that of the next.
        if state.content != after.content { renders["profile"] = after.session == nil ? 1 : 2 }
        return renders
    }
}

/// Counts what views show. Each part of a screen, and each kind of content, is shown by one view.
@MainActor final class RecordingDisplay: Display {
    let updates = UpdateCycle()
    private(set) var renders: [String: Int] = [:]

    func forget() { renders = [:] }
    func show(_ content: KooberScreen.Content) { renders[Self.name(of: content), default: 0] += 1 }
    func show(profile: ProfileScreen?) { renders["profile", default: 0] += 1 }
    func show(error: ErrorMessage?) { renders["error", default: 0] += 1 }
    func show(isOffline: Bool) { renders["isOffline", default: 0] += 1 }

    static func name(of content: KooberScreen.Content) -> String {
        switch content {
        case .launching: "launching"
        case .welcome: "welcome"
        case .signIn: "signIn"
        case .signUp: "signUp"
        case .gettingUserLocation: "gettingUserLocation"
        case .pickMeUp: "pickMeUp"
        case .waitingForPickup: "waitingForPickup"
        }
    }
}
