import KooberElements
import KooberKit
import KooberScenarios
import Testing

/// The rules of every use case that is written as a run.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct UseCaseRunTests {
    private struct Asking: UseCaseSteps {
        let gate: CallGate<String, String>
        let log: RecordingEventResponder<String>
        /// Called right after the start.
        var hasStarted: @MainActor (UseCaseRun<Asking>) -> Void = { _ in }

        func execute(in run: UseCaseRun<Asking>) {
            log.received("starts")
            hasStarted(run)
            ask("first", in: run) { ask("second", in: run) {} }
        }

        private func ask(
            _ question: String, in run: UseCaseRun<Asking>, then proceed: @escaping @MainActor () -> Void
        ) {
            run.perform { [gate] () async throws(ErrorMessage) in
                try await gate.call(question) { () async throws(ErrorMessage) in question }
            } then: { [log] result in
                switch result {
                case .success(let answer): log.received(answer)
                case .failure(let error): log.received(error.title)
                }
                proceed()
            }
        }
    }

    private struct Following: UseCaseSteps {
        let source: StreamSource<AsyncStream<Int>>

        func execute(in run: UseCaseRun<Following>) { run.follow(source) { _ in } }
    }

    private let gate = CallGate<String, String>()
    private let log = RecordingEventResponder<String>()

    /// Waits until late answers would have arrived.
    private func settles() async throws {
        let other = RecordingEventResponder<String>()
        let useCase = UseCaseRun(Asking(gate: gate, log: other))
        useCase.start()
        try await gate.passes { $0 == "first" }
        try await gate.passes { $0 == "second" }
        try await eventually { other.events.count == 3 }
    }

    @Test func `a run takes step after step`() async throws {
        UseCaseRun(Asking(gate: gate, log: log)).start()
        #expect(log.events == ["starts"])
        try await gate.passes()
        try await gate.passes()
        try await eventually { log.events == ["starts", "first", "second"] }
    }

    @Test func `a run needs no references to go on, and is deallocated at its end`() async throws {
        weak var useCase: UseCaseRun<Asking>?
        do {
            let started = UseCaseRun(Asking(gate: gate, log: log))
            useCase = started
            started.start()
        }
        #expect(useCase != nil)
        try await gate.passes()
        try await gate.fails()
        try await eventually { log.events == ["starts", "first", "No connection"] }
        try await eventually { useCase == nil }
    }

    @Test func `a following run lasts until the source ends or it is cancelled`() async throws {
        for isCancelled in [true, false] {
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            weak let useCase = starts(UseCaseRun(Following(source: StreamSource { stream })))
            #expect(useCase != nil)
            if isCancelled { useCase?.cancel() } else { continuation.finish() }
            try await eventually { useCase == nil }
        }
    }

    @Test func `a second start does nothing, neither during the run nor after it`() async throws {
        let useCase = UseCaseRun(Asking(gate: gate, log: log))
        useCase.start()
        useCase.start()
        try await gate.passes()
        try await gate.passes()
        try await eventually { log.events.count == 3 }
        useCase.start()
        #expect(log.events == ["starts", "first", "second"])
        #expect(gate.asked.count == 2)
    }

    @Test func `a start after a cancellation does nothing`() {
        let useCase = UseCaseRun(Asking(gate: gate, log: log))
        useCase.cancel()
        useCase.start()
        #expect(log.events.isEmpty)
        #expect(gate.asked.isEmpty)
    }

    @Test func `a cancellation reaches the work, and no error is reported`() async throws {
        let useCase = UseCaseRun(Asking(gate: gate, log: log))
        useCase.start()
        try await gate.isAsked()
        useCase.cancel()
        try await eventually { gate.waiting.isEmpty }
        try await settles()
        #expect(log.events == ["starts"])
    }

    @Test(arguments: [true, false])
    func `an answer after a cancellation is dropped`(_ succeeds: Bool) async throws {
        gate.keepsCancelled()
        let useCase = UseCaseRun(Asking(gate: gate, log: log))
        useCase.start()
        try await gate.isAsked()
        useCase.cancel()
        if succeeds { try await gate.passes() } else { try await gate.fails() }
        try await settles()
        #expect(log.events == ["starts"])
        #expect(gate.asked == ["first", "first", "second"])
    }

    @Test func `a cancelled run is deallocated even while its work goes on`() async throws {
        gate.keepsCancelled()
        weak var useCase: UseCaseRun<Asking>?
        do {
            let started = UseCaseRun(Asking(gate: gate, log: log))
            useCase = started
            started.start()
            try await gate.isAsked()
            started.cancel()
        }
        try await eventually { useCase == nil }
        #expect(gate.waiting == ["first"])
        try await gate.passes()
    }

    @Test func `a run that is cancelled as it starts takes no step`() async throws {
        let useCase = UseCaseRun(Asking(gate: gate, log: log) { $0.cancel() })
        useCase.start()
        try await settles()
        #expect(log.events == ["starts"])
        #expect(gate.asked == ["first", "second"])
    }

    @Test func `a cancellation after the end changes nothing`() async throws {
        let useCase = UseCaseRun(Asking(gate: gate, log: log))
        useCase.start()
        try await gate.passes()
        try await gate.passes()
        try await eventually { log.events.count == 3 }
        useCase.cancel()
        useCase.cancel()
        #expect(log.events == ["starts", "first", "second"])
    }
}
