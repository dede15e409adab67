import Foundation
import KooberScreens

/// Records actions, shows past states, and replays the actions.
///
/// Travelling only changes the displayed state. The store and its effects continue in the present.
@MainActor
public final class TimeTravel<State: Equatable & Sendable, Action: Equatable & Sendable> {
    private let store: Store<History<State, Action>, History<State, Action>.Change>

    /// - Parameter limit: the number of latest actions to keep.
    public init(start: State, limit: Int) {
        store = Store(state: History(start: start, limit: limit), reducer: History.reduce)
    }

    public var history: History<State, Action> { store.state }

    /// The middleware that records the actions of a store.
    public var middleware: Middleware<State, Action> {
        { [store] action, state in store.dispatch(.recorded(action, state)) }
    }

    /// The shown past state; nil for the present.
    public var past: StatePublisher<State?> {
        store.publisher.select(\.past?.state)
    }

    /// Does nothing if the step is no longer recorded.
    public func travel(to step: Int) {
        store.dispatch(.travelled(to: step))
    }

    public func returnToPresent() {
        store.dispatch(.returned)
    }

}

/// Actions with the state before them. It is what an exported recording contains:
///
///     let log = try ActionLog<AppState, AppAction>(json: Data(contentsOf: file))
///     let states = log.replay(with: Reducers.app)
public struct ActionLog<State: Equatable & Sendable, Action: Sendable>: Sendable {
    public let start: State
    /// The oldest first.
    public let actions: [Action]

    public init(start: State, actions: [Action]) {
        self.start = start
        self.actions = actions
    }

    /// Returns the states to which the actions lead in a new store. They equal the recorded ones if the reducer is
    /// pure.
    @MainActor
    public func replay(with reducer: @escaping Reducer<State, Action>) -> [State] {
        let fresh = Store(state: start, reducer: reducer)
        return actions.map {
            fresh.dispatch($0)
            return fresh.state
        }
    }
}

extension ActionLog: Codable where State: Codable, Action: Codable {
    public init(json: Data) throws {
        self = try JSONDecoder().decode(ActionLog.self, from: json)
    }

    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(self)
    }
}

/// The latest actions with their states, and the shown past state, if any.
public struct History<State: Equatable & Sendable, Action: Equatable & Sendable>: Equatable, Sendable {
    /// An action with the state that it led to.
    public struct Step: Equatable, Sendable, Identifiable {
        /// Counts all recorded actions, starting with 1.
        public let id: Int
        public let action: Action
        public let state: State
    }

    enum Change: Equatable, Sendable {
        case recorded(Action, State)
        case travelled(to: Step.ID)
        case returned
    }

    /// The state before the oldest kept step.
    public private(set) var start: State
    /// The oldest first.
    public private(set) var steps: [Step] = []
    /// The shown step; nil for the present. It remains even if it is no longer recorded.
    public private(set) var past: Step?
    private let limit: Int
    private var count = 0

    /// The kept actions with the state before them.
    public var log: ActionLog<State, Action> { ActionLog(start: start, actions: steps.map(\.action)) }

    init(start: State, limit: Int) {
        self.start = start
        self.limit = limit
    }

    @Sendable
    static func reduce(_ history: inout History, _ change: Change) {
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
    }
}

extension TimeTravel: Recording where State: Codable, Action: Codable {
    private var shown: History<State, Action>.Step? { history.past ?? history.steps.last }

    public var position: (step: Int, last: Int) { (shown?.id ?? 0, history.steps.last?.id ?? 0) }

    public var action: String? { shown.map { PrintingMiddleware.line(for: $0.action) } }

    public func goBack() { travel(to: position.step - 1) }

    public func goForward() {
        let next = history.steps.first { $0.id > position.step && $0.id < position.last }
        if let next { travel(to: next.id) } else { returnToPresent() }
    }

    public func export() throws -> Data { try history.log.json() }
}
