/// How somebody who develops the app watches it.
public struct ReduxDebugging {
    /// Gets a line for each action.
    public var print: (@MainActor (String) -> Void)?
    /// How many actions are kept for time travel; none are recorded with 0.
    public var recordedActions: Int

    public init(print: (@MainActor (String) -> Void)? = nil, recordedActions: Int = 0) {
        self.print = print
        self.recordedActions = recordedActions
    }
}
