import ClientTesting
import Foundation
import KooberKit
import KooberScreens
import Testing

@testable import KooberRedux

/// An exhaustive test of a story: each action, each change of the state, and each effect that starts or ends has to be
/// stated. What is left over at the end fails the test.
///
/// It runs the real views and user interactions. Their effects call an `EffectModel`, which the story answers:
///
///     try await TestStore.run { store in
///         store.answer(.launching(.readUserSession), with: UserSession?.none)
///         await store.receive(.launching(.finishedLaunchingApp(nil)), ending: [.launching(.readUserSession)]) {
///             $0.stage = .onboarding(OnboardingState())
///         }
///         await store.send(.onboarding(.goToSignIn)) { … }
///     }
@MainActor final class TestStore {
    let model = EffectModel()
    /// The state after the last stated action.
    private(set) var state: AppState
    private let window = Window()
    private let happened = Happened()
    /// The time that an effect has to start, to end, or to dispatch an action.
    private let patience: Duration
    private var container: AppDependencyContainer?
    private var main: MainView?

    /// Starts the app, runs the story, and ends the app.
    ///
    /// - Parameter leaving: the effects for which the last state of the story asks.
    static func run(
        from state: AppState = AppState(), leaving: Set<AppEffect> = [.followConnectivity],
        patience: Duration = .seconds(10), _ location: SourceLocation = #_sourceLocation,
        _ story: (TestStore) async throws -> Void
    ) async rethrows {
        let store = TestStore(from: state, patience: patience)
        await store.checkRunningEffects(location)
        try await story(store)
        await store.finish(leaving: leaving, location)
    }

    private init(from state: AppState, patience: Duration) {
        self.state = state
        self.patience = patience
        let container = AppDependencyContainer(
            model: model, state: state, middleware: [happened.middleware], updates: window.updates)
        main = container.makeMainView(in: window)
        window.updates.flush()
        self.container = container
    }

    var screen: KooberScreen? { window.screen }

    func send(
        _ action: AppAction, starting: Set<AppEffect> = [], ending: Set<AppEffect> = [],
        _ location: SourceLocation = #_sourceLocation, change: (inout AppState) -> Void = { _ in }
    ) async {
        reportUnstatedActions(location)
        container?.store.dispatch(action)
        await check(action, starting: starting, ending: ending, location, change)
    }

    /// Does what the user asks for, from which the action has to follow.
    func perform(
        _ intention: Intention, sending action: AppAction, starting: Set<AppEffect> = [],
        ending: Set<AppEffect> = [], _ location: SourceLocation = #_sourceLocation,
        change: (inout AppState) -> Void = { _ in }
    ) async throws {
        reportUnstatedActions(location)
        try window.perform(intention) { main?.perform($0) }
        await check(action, starting: starting, ending: ending, location, change)
    }

    /// Waits for an action, which an effect dispatches.
    func receive(
        _ action: AppAction, starting: Set<AppEffect> = [], ending: Set<AppEffect> = [],
        _ location: SourceLocation = #_sourceLocation, change: (inout AppState) -> Void = { _ in }
    ) async {
        await eventually { !happened.steps.isEmpty }
        await check(action, starting: starting, ending: ending, location, change)
    }

    /// Answers the call of an effect, or yields the next element of its stream.
    func answer(_ effect: AppEffect, with answer: any Sendable, _ location: SourceLocation = #_sourceLocation) {
        if !model.answer(effect, .success(answer)) { report("No effect \(effect) waits for an answer.", location) }
    }

    func fail(_ effect: AppEffect, with error: ErrorMessage, _ location: SourceLocation = #_sourceLocation) {
        if !model.answer(effect, .failure(error)) { report("No effect \(effect) waits for an answer.", location) }
    }

    /// Answers the call of an effect that is cancelled. No action may follow.
    func answerLate(
        _ effect: AppEffect, with answer: any Sendable, _ location: SourceLocation = #_sourceLocation
    ) async {
        self.answer(effect, with: answer, location)
        await eventually { !model.cancelled.contains(effect) }
        // The effect has its answer. An action of it would come in one of the next turns.
        await turnsPass()
        reportUnstatedActions(location)
    }

    // MARK: Checks

    private func check(
        _ action: AppAction, starting: Set<AppEffect>, ending: Set<AppEffect>, _ location: SourceLocation,
        _ change: (inout AppState) -> Void
    ) async {
        let name = PrintingMiddleware.line(for: action)
        guard let step = happened.next() else { return report("The action \(name) did not happen.", location) }
        if step.action != action {
            report("Another action than \(name) happened:\n\(difference(from: action, to: step.action))", location)
        }
        var expected = state
        change(&expected)
        if step.state != expected {
            report("The state after \(name) is another one:\n\(difference(from: expected, to: step.state))", location)
        }
        let (before, after) = (state.effects, step.state.effects)
        check("start after \(name)", starting, after.subtracting(before), location)
        check("end after \(name)", ending, before.subtracting(after), location)
        state = step.state
        await checkRunningEffects(location)
    }

    private func check(
        _ event: String, _ stated: Set<AppEffect>, _ effects: Set<AppEffect>, _ location: SourceLocation
    ) {
        guard stated != effects else { return }
        report("Other effects \(event):\n\(difference(from: stated.texts, to: effects.texts))", location)
    }

    /// Waits until exactly those effects run for which the present state asks.
    private func checkRunningEffects(_ location: SourceLocation) async {
        func wanted() -> [String] { container?.store.state.effects.texts ?? [] }
        await eventually { model.running.texts == wanted() }
        guard model.running.texts != wanted() else { return }
        let changes = difference(from: wanted(), to: model.running.texts)
        report("Other effects run than those of the state:\n\(changes)", location)
    }

    private func reportUnstatedActions(_ location: SourceLocation) {
        while let step = happened.next() {
            let name = PrintingMiddleware.line(for: step.action)
            report("The test does not state the action \(name).", location)
            state = step.state
        }
    }

    private func finish(leaving: Set<AppEffect>, _ location: SourceLocation) async {
        reportUnstatedActions(location)
        check("are left over", leaving, state.effects, location)
        main = nil
        container = nil
        await checkRunningEffects(location)
        model.end()
    }

    private func report(_ text: String, _ location: SourceLocation) {
        Issue.record("\(text)", sourceLocation: location)
    }

    private func eventually(_ isMet: () -> Bool) async {
        var left = patience
        var last = ContinuousClock.now
        var looks = 0
        while !isMet(), left > .zero, !Task.isCancelled {
            looks += 1
            // Later looks leave the processors to other tests.
            if looks < 100 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(2)) }
            let now = ContinuousClock.now
            // Another test may have kept the main actor, so that nothing could happen.
            left -= min(now - last, .milliseconds(5))
            last = now
        }
    }
}

/// The actions that happened and are not stated yet, with the states that they led to.
@MainActor private final class Happened {
    private(set) var steps: [(action: AppAction, state: AppState)] = []

    var middleware: Middleware<AppState, AppAction> {
        { [weak self] action, state in self?.steps.append((action, state)) }
    }

    func next() -> (action: AppAction, state: AppState)? { steps.isEmpty ? nil : steps.removeFirst() }
}

extension Sequence<AppEffect> { fileprivate var texts: [String] { map { "\($0)" }.sorted() } }

/// Returns the lines in which two values differ: those of the expected one with a minus, those of the other one with a
/// plus.
func difference<Value>(from expected: Value, to actual: Value) -> String {
    func lines(_ value: Value) -> [String] {
        if let lines = value as? [String] { return lines }
        var text = ""
        dump(value, to: &text)
        return text.split(separator: "\n").map(String.init)
    }
    let changes = lines(actual).difference(from: lines(expected))
    let texts = (changes.removals + changes.insertions).map { change in
        switch change {
        case .remove(_, let line, _): "- \(line)"
        case .insert(_, let line, _): "+ \(line)"
        }
    }
    return texts.isEmpty ? "They differ only in values that are not described." : texts.joined(separator: "\n")
}
