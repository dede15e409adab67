/// What user interactions get of the store: they cause changes, and read nothing.
@MainActor
public protocol ActionDispatcher<Action>: Sendable {
    associatedtype Action: Sendable

    func dispatch(_ action: Action)
}

extension ActionDispatcher {
    /// For a part of the app, which knows its own actions only.
    public func scoped<Part: Sendable>(_ embed: @escaping @Sendable (Part) -> Action) -> any ActionDispatcher<Part> {
        ScopedDispatcher(whole: self, embed: embed)
    }
}

private struct ScopedDispatcher<Whole: ActionDispatcher, Action: Sendable>: ActionDispatcher {
    let whole: Whole
    let embed: @Sendable (Action) -> Whole.Action

    func dispatch(_ action: Action) {
        whole.dispatch(embed(action))
    }
}
