import ClientTesting
import KooberElements
import KooberKit
import KooberScenarios
import Testing

/// The rules of every use case that is written as a run.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct UseCaseRunTests {
    /// Asks two questions in turn, and adds the answers to a store.
    private struct Asking: UseCaseSteps {
        let gate: CallGate<String, String>
        let answers: StateStore<[String]>
        let hasStarted: @MainActor (UseCaseRun<Asking>) -> Void

        func execute(in run: UseCaseRun<Asking>) {
            answers.update { $0.append("starts") }
            hasStarted(run)
            run.perform {
                for question in ["first", "second"] {
                    do throws(ErrorMessage) {
                        let answer = try await gate.call(question) { () async throws(ErrorMessage) in question }
                        answers.update { $0.append(answer) }
                    } catch {
                        answers.update { $0.append("error") }
                    }
                }
            }
        }
    }

    private let gate = CallGate<String, String>()
    private let answers = StateStore<[String]>([])

    /// - Parameter hasStarted: called right after the start.
    private func makeUseCase(
        _ hasStarted: @escaping @MainActor (UseCaseRun<Asking>) -> Void = { _ in }
    ) -> UseCaseRun<Asking> { UseCaseRun(Asking(gate: gate, answers: answers, hasStarted: hasStarted)) }

    @Test func `a run takes step after step`() async throws {
        makeUseCase().start()
        #expect(answers.state == ["starts"])
        try await gate.passes()
        try await gate.fails()
        try await eventually { answers.state == ["starts", "first", "error"] }
    }

    @Test func `a run needs no references to go on, and is deallocated at its end`() async throws {
        weak let useCase = starts(makeUseCase())
        #expect(useCase != nil)
        for _ in 1...2 { try await gate.passes() }
        try await eventually { useCase == nil }
        #expect(answers.state == ["starts", "first", "second"])
    }

    @Test func `a second start does nothing, neither during the run nor after it`() async throws {
        let useCase = starts(makeUseCase())
        useCase.start()
        for _ in 1...2 { try await gate.passes() }
        try await eventually { answers.state.count == 3 }
        useCase.start()
        await turnsPass()
        #expect(answers.state == ["starts", "first", "second"])
        #expect(gate.asked.count == 2)
    }

    @Test func `a start after a cancellation does nothing`() async {
        let starts = Received<Bool>()
        let useCase = makeUseCase { _ in starts.append(true) }
        useCase.cancel()
        useCase.start()
        await turnsPass()
        #expect(starts.values.isEmpty && gate.asked.isEmpty)
    }

    @Test func `a run that is cancelled as it starts takes no step that waits`() async {
        makeUseCase { $0.cancel() }.start()
        await turnsPass()
        #expect(answers.state == ["starts"])
        #expect(gate.asked.isEmpty)
    }

    @Test func `a run that is cancelled in the turn of its start takes no step that waits`() async {
        let useCase = starts(makeUseCase())
        useCase.cancel()
        await turnsPass()
        #expect(gate.asked.isEmpty)
    }

    @Test func `a cancellation reaches the call, and its error changes nothing`() async throws {
        let useCase = starts(makeUseCase())
        try await gate.isAsked { $0 == "first" }
        useCase.cancel()
        try await eventually { gate.asked == ["first", "second"] && gate.waiting.isEmpty }
        await turnsPass()
        #expect(answers.state == ["starts"])
    }

    @Test(arguments: [true, false])
    func `an answer after a cancellation changes nothing`(_ succeeds: Bool) async throws {
        gate.keepsCancelled()
        let useCase = starts(makeUseCase())
        try await gate.isAsked()
        useCase.cancel()
        if succeeds { try await gate.passes() } else { try await gate.fails() }
        try await gate.isAsked { $0 == "second" }
        #expect(answers.state == ["starts"])
        try await gate.passes()
    }

    @Test func `the cancellation of one run does not concern another`() async throws {
        let useCase = starts(makeUseCase())
        try await gate.isAsked()
        makeUseCase().start()
        try await eventually { gate.waiting.count == 2 }
        gate.keepsCancelled()
        useCase.cancel()
        for _ in 1...4 { try await gate.passes() }
        try await eventually { answers.state.count == 4 }
        #expect(answers.state == ["starts", "starts", "first", "second"])
    }

    @Test func `a caller whose task is cancelled still starts use cases`() async throws {
        let caller = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            makeUseCase().start()
        }
        await caller.value
        for _ in 1...2 { try await gate.passes() }
        try await eventually { answers.state == ["starts", "first", "second"] }
    }

    @Test func `a cancelled use case still starts others`() async throws {
        let inner = makeUseCase()
        makeUseCase {
            $0.cancel()
            inner.start()
        }.start()
        for _ in 1...2 { try await gate.passes() }
        try await eventually { answers.state == ["starts", "starts", "first", "second"] }
    }

    @Test func `a cancellation after the end changes nothing`() async throws {
        let useCase = starts(makeUseCase())
        for _ in 1...2 { try await gate.passes() }
        try await eventually { answers.state.count == 3 }
        useCase.cancel()
        useCase.cancel()
        #expect(answers.state == ["starts", "first", "second"])
    }
}
