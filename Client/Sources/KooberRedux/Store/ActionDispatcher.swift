/// What gets to cause changes, and to read nothing: user interactions, each for its own part of the state, and the persister.
@MainActor
public protocol ActionDispatcher<Action>: Sendable {
    associatedtype Action: Sendable

    /// - Parameter effect: begins once the action has changed the state. What the reducer refuses has none.
    func dispatch(_ action: Action, effect: @escaping @MainActor () -> Void)
}

extension ActionDispatcher {
    public func dispatch(_ action: Action) {
        dispatch(action) {}
    }

    /// For a part of the app, which knows its own actions only.
    public func scoped<Part: Sendable>(_ embed: @escaping @Sendable (Part) -> Action) -> any ActionDispatcher<Part> {
        ScopedDispatcher(whole: self, embed: embed)
    }
}

private struct ScopedDispatcher<Whole: ActionDispatcher, Action: Sendable>: ActionDispatcher {
    let whole: Whole
    let embed: @Sendable (Action) -> Whole.Action

    func dispatch(_ action: Action, effect: @escaping @MainActor () -> Void) {
        whole.dispatch(embed(action), effect: effect)
    }
}
