/// Prints each action on a line of its own: the names of its cases and its numbers, and nothing that it carries, since
/// that may be somebody's secret.
public enum PrintingMiddleware {
    public static func make<State, Action>(
        print: @escaping @MainActor (String) -> Void
    ) -> Middleware<State, Action> {
        { action, _ in print(line(for: action)) }
    }

    public static func line(for action: Any) -> String {
        if let number = action as? SerialNumber { return number.description }
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
