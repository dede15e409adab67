/// Something was asked for that does not follow from where things stand; nothing has changed.
public struct IllegalTransition: Error, Hashable, Sendable {
    public let action: String
    public let state: String

    init(from state: some Sendable, by action: String = #function) {
        self.action = action
        self.state = "\(state)"
    }
}
