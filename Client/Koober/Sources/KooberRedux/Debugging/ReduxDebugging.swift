/// The debugging tools of an app.
public struct ReduxDebugging {
    /// Receives a line for each action.
    public var print: (@MainActor (String) -> Void)?
    /// The number of actions to keep for time travel. With 0, none are recorded.
    public var recordedActions: Int

    public init(print: (@MainActor (String) -> Void)? = nil, recordedActions: Int = 0) {
        self.print = print
        self.recordedActions = recordedActions
    }
}

/// Prints a line for each action with the names of its cases. It omits all values, because they may be private.
public enum PrintingMiddleware {
    public static func make<State, Action>(
        print: @escaping @MainActor (String) -> Void
    ) -> Middleware<State, Action> {
        { action, _ in print(line(for: action)) }
    }

    public static func line(for action: Any) -> String {
        let mirror = Mirror(reflecting: action)
        let inner = mirror.children.map { line(for: $0.value) }.filter { !$0.isEmpty }.joined(separator: ", ")
        switch mirror.displayStyle {
        case .tuple: return inner
        case .enum:
            let name = mirror.children.first?.label ?? "\(action)"
            return inner.isEmpty ? name : "\(name)(\(inner))"
        default: return ""
        }
    }
}
