import KooberScreens

/// Runs the effects that a part of the state requests.
///
/// A state states the work that it waits for as a set of values. An effect starts when the state first requests it, and
/// is cancelled when the state no longer does: neither can be forgotten, and a restored state resumes its work. An
/// action that a cancelled effect dispatches is ignored, so that late responses change nothing.
@MainActor
final class EffectRunner<Effect: Hashable & Sendable> {
    private var tasks: [Effect: Task<Void, Never>] = [:]
    private var subscription: Subscription?

    /// - Parameter perform: performs one effect, and dispatches its results. It must not capture the runner's owner.
    init<Action: Sendable>(
        _ effects: StatePublisher<Set<Effect>>, to actionDispatcher: any ActionDispatcher<Action>,
        perform: @escaping @MainActor (Effect, _ dispatch: @MainActor (Action) -> Void) async -> Void
    ) {
        let run: @MainActor @Sendable (Effect) async -> Void = { effect in
            await perform(effect) { action in
                if !Task.isCancelled { actionDispatcher.dispatch(action) }
            }
        }
        subscription = effects.subscribe(
            receive: { [weak self] in self?.update(to: $0, run) },
            finished: { [weak self] in self?.update(to: [], run) })
    }

    deinit {
        for task in tasks.values { task.cancel() }
    }

    private func update(to effects: Set<Effect>, _ run: @escaping @MainActor @Sendable (Effect) async -> Void) {
        for effect in tasks.keys where !effects.contains(effect) { tasks.removeValue(forKey: effect)?.cancel() }
        for effect in effects where tasks[effect] == nil {
            tasks[effect] = Task {
                if !Task.isCancelled { await run(effect) }
            }
        }
    }
}
