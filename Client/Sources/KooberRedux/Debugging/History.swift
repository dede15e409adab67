/// What happened to a state lately, and what of it is looked at.
public struct History<State: Equatable & Sendable, Action: Equatable & Sendable>: Equatable, Sendable {
    /// An action, and what it came to.
    public struct Step: Equatable, Sendable, Identifiable {
        /// 1 for the first that ever was.
        public let id: Int
        public let action: Action
        /// To which the action led.
        public let state: State
    }

    enum Change: Equatable, Sendable {
        case recorded(Action, State)
        case travelled(to: Step.ID)
        case returned
    }

    /// Before the oldest step that is kept.
    public private(set) var start: State
    /// The latest; the oldest of them first.
    public private(set) var steps: [Step] = []
    /// What is looked at; nil for the present. It stays when it is too old to be kept.
    public private(set) var past: Step?
    private let limit: Int
    private var count = 0

    init(start: State, limit: Int) {
        self.start = start
        self.limit = limit
    }

    public var displayed: State {
        past?.state ?? steps.last?.state ?? start
    }

    static func reduced(_ history: History, _ change: Change) -> History {
        var history = history
        switch change {
        case .recorded(let action, let state):
            history.count += 1
            history.steps.append(Step(id: history.count, action: action, state: state))
            if history.steps.count > history.limit { history.start = history.steps.removeFirst().state }
        case .travelled(let id):
            history.past = history.steps.first { $0.id == id } ?? history.past
        case .returned:
            history.past = nil
        }
        return history
    }
}
