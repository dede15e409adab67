import ClientTesting
import PouchTesting
import Testing

@testable import KooberRedux

/// The effects of a state that is just the set of them.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct EffectRunnerTests {
    private let store = Store<Set<String>, Set<String>>(state: [], reducer: { $0 = $1 })
    private let answers = Store<[String], String>(state: [], reducer: { $0.append($1) })
    private let log = Received<String>()
    private let gate = Gate()

    /// Makes a runner whose effects log that they start, wait until they are cancelled or all may answer, and answer.
    private func makeRunner(of effects: StatePublisher<Set<String>>? = nil) -> EffectRunner<String> {
        EffectRunner(effects ?? store.publisher, to: answers) { [weak log, gate] effect, dispatch in
            log?.append("start \(effect)")
            await gate.pass()
            log?.append(Task.isCancelled ? "cancel \(effect)" : "end \(effect)")
            dispatch(effect)
        }
    }

    private func logs(_ expected: [String], _ location: SourceLocation = #_sourceLocation) async throws {
        try await eventually { log.values.count >= expected.count }
        await turnsPass()
        #expect(log.values.sorted() == expected.sorted(), sourceLocation: location)
    }

    @Test func `an effect starts when the state asks for it, and once while it does`() async throws {
        store.dispatch(["a"])
        log.keep(makeRunner())
        store.dispatch(["a", "b"])
        store.dispatch(["b", "a"])
        try await logs(["start a", "start b"])
        gate.open()
        try await logs(["start a", "start b", "end a", "end b"])
        #expect(answers.state.sorted() == ["a", "b"])
        // The state asks for them still: they are done.
        store.dispatch(["a", "b", "c"])
        try await logs(["start a", "start b", "end a", "end b", "start c", "end c"])
    }

    @Test func `an effect is cancelled by its value, and its late answer is dropped`() async throws {
        log.keep(makeRunner())
        store.dispatch(["a", "b"])
        try await logs(["start a", "start b"])
        store.dispatch(["b"])
        try await logs(["start a", "start b", "cancel a"])
        gate.open()
        try await logs(["start a", "start b", "cancel a", "end b"])
        #expect(answers.state == ["b"])
    }

    @Test func `an effect for which the state asks again starts again`() async throws {
        log.keep(makeRunner())
        var expected: [String] = []
        for (effects, event) in [(["a"], "start a"), ([], "cancel a"), (["a"], "start a")] {
            store.dispatch(Set(effects))
            expected.append(event)
            try await logs(expected)
        }
    }

    @Test func `an effect that is cancelled before its turn never starts`() async throws {
        log.keep(makeRunner())
        store.dispatch(["a"])
        store.dispatch(["b"])
        try await logs(["start b"])
    }

    @Test func `a released runner cancels its effects`() async throws {
        var runner: EffectRunner<String>? = makeRunner()
        store.dispatch(["a"])
        try await logs(["start a"])
        withExtendedLifetime(runner) {}
        runner = nil
        try await logs(["start a", "cancel a"])
        #expect(answers.state.isEmpty)
    }

    @Test func `a state that goes out of scope cancels its effects permanently`() async throws {
        log.keep(makeRunner(of: store.publisher.scoped { $0.isEmpty ? nil : $0 }.select { $0 }))
        store.dispatch(["a"])
        await turnsPass()
        // Out of scope from the start.
        #expect(log.values.isEmpty)
        log.keep(makeRunner(of: store.publisher.scoped { $0.isEmpty ? nil : $0 }))
        try await logs(["start a"])
        store.dispatch([])
        try await logs(["start a", "cancel a"])
        store.dispatch(["a"])
        try await logs(["start a", "cancel a"])
    }
}
