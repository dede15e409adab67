import Foundation
import KooberScreens

/// Records actions, shows past states, and replays the actions.
///
/// Travelling only changes the displayed state. The store and its effects go on in the present.
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

    /// The past state that is shown; nil for the present.
    public var past: StatePublisher<State?> {
        store.publisher.select(\.past?.state)
    }

    /// Does nothing if the step is not kept.
    public func travel(to step: Int) {
        store.dispatch(.travelled(to: step))
    }

    public func returnToPresent() {
        store.dispatch(.returned)
    }

    /// Returns the states to which the kept actions lead in a new store. They equal those of the history if the reducer
    /// is pure.
    public func replay(with reducer: @escaping Reducer<State, Action>) -> [State] {
        let fresh = Store(state: history.start, reducer: reducer)
        return history.steps.map {
            fresh.dispatch($0.action)
            return fresh.state
        }
    }
}

/// The latest actions with their states, and the past state that is shown, if any.
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
    /// The shown step; nil for the present. It stays even when it is no longer kept.
    public private(set) var past: Step?
    private let limit: Int
    private var count = 0

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

extension TimeTravel: Recording where State: Encodable, Action: Encodable {
    private struct Export: Encodable {
        let start: State
        let actions: [Action]
    }

    private var shown: History<State, Action>.Step? { history.past ?? history.steps.last }

    public var position: (step: Int, last: Int) { (shown?.id ?? 0, history.steps.last?.id ?? 0) }

    public var action: String? { shown.map { PrintingMiddleware.line(for: $0.action) } }

    public func goBack() { travel(to: position.step - 1) }

    public func goForward() {
        if position.step + 1 < position.last { travel(to: position.step + 1) } else { returnToPresent() }
    }

    public func export() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(Export(start: history.start, actions: history.steps.map(\.action)))
    }
}
