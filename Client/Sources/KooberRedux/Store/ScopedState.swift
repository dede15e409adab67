/// A part of the state that is not always there.
public enum ScopedState<State: Equatable & Sendable>: Equatable, Sendable {
    case outOfScope
    case inScope(State)

    /// A getter of what lies deeper; out of scope where either is.
    public func flatMap<Part>(_ getter: (State) -> ScopedState<Part>) -> ScopedState<Part> {
        switch self {
        case .outOfScope: .outOfScope
        case .inScope(let state): getter(state)
        }
    }
}
