import KooberKit
import KooberTexts
import Synchronization

/// Holds the calls of one kind until a test passes or fails them.
///
/// A cancelled call fails at once. After `keepsCancelled`, it goes on waiting and answers late, as a call does that
/// reached the service.
public final class CallGate<Question: Sendable, Answer: Sendable>: Sendable {
    private enum Decision {
        /// Reports the answer to the test.
        case passes(CheckedContinuation<Result<Answer, ErrorMessage>, Never>)
        case fails(ErrorMessage)
    }

    private struct Call {
        let id: Int
        let question: Question
        let continuation: CheckedContinuation<Decision, Never>
    }

    private struct State {
        var asked: [Question] = []
        var waiting: [Call] = []
        var cancelled: Set<Int> = []
        /// The tests that wait for a call.
        var arrivals: [AsyncStream<Void>.Continuation] = []
        var keepsCancelled = false
    }

    private let state = Mutex(State())

    public init() {}

    /// The questions of all calls so far.
    public var asked: [Question] { state.withLock { $0.asked } }
    /// The questions of the waiting calls, the oldest first.
    public var waiting: [Question] { state.withLock { $0.waiting.map(\.question) } }
    public func keepsCancelled(_ keeps: Bool = true) { state.withLock { $0.keepsCancelled = keeps } }

    /// Waits for a call, passes it on, and returns its answer.
    @discardableResult
    public func passes(_ isMeant: @Sendable (Question) -> Bool = { _ in true }) async throws -> Answer {
        let call = try await next(isMeant)
        return try await withCheckedContinuation { call.continuation.resume(returning: .passes($0)) }.get()
    }

    /// Waits for a call, passes it on, and returns the error of the service.
    public func isRefused() async throws -> ErrorMessage {
        do {
            try await passes()
        } catch let error as ErrorMessage {
            return error
        }
        throw NotRefused()
    }

    /// Waits for a call, and fails it.
    @discardableResult
    public func fails(
        _ error: ErrorMessage = ErrorMessage(title: .rideNotRequested, message: .unreachable),
        _ isMeant: @Sendable (Question) -> Bool = { _ in true }
    ) async throws -> ErrorMessage {
        try await next(isMeant).continuation.resume(returning: .fails(error))
        return error
    }

    /// Waits for a call, and leaves it waiting.
    public func isAsked(_ isMeant: @Sendable (Question) -> Bool = { _ in true }) async throws {
        try await first { state in state.waiting.contains { isMeant($0.question) } ? () : nil }
    }

    /// Waits for the decision of the test before answering.
    public func call(
        _ question: Question, answer: @escaping @Sendable () async throws(ErrorMessage) -> Answer
    ) async throws(ErrorMessage) -> Answer {
        switch await decision(on: question) {
        case .passes(let report):
            // In a task of its own, which the caller's cancellation does not reach.
            let result = await Task { () async -> Result<Answer, ErrorMessage> in
                do throws(ErrorMessage) { return .success(try await answer()) } catch { return .failure(error) }
            }.value
            report.resume(returning: result)
            return try result.get()
        case .fails(let error): throw error
        }
    }

    private func next(_ isMeant: @Sendable (Question) -> Bool) async throws -> Call {
        try await first { state in
            state.waiting.firstIndex { isMeant($0.question) }.map { state.waiting.remove(at: $0) }
        }
    }

    /// Searches now and after each new call, until `find` returns a value.
    private func first<Found: Sendable>(_ find: (inout State) -> Found?) async throws -> Found {
        let (calls, arrival) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.arrivals.append(arrival) }
        arrival.yield()
        for await _ in calls {
            if let found = state.withLock({ find(&$0) }) { return found }
        }
        throw CancellationError()
    }

    private func decision(on question: Question) async -> Decision {
        let id = state.withLock { state in
            state.asked.append(question)
            return state.asked.count
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard state.cancelled.remove(id) == nil else { return true }
                    state.waiting.append(Call(id: id, question: question, continuation: continuation))
                    state.arrivals.removeAll { if case .terminated = $0.yield() { true } else { false } }
                    return false
                }
                if isCancelled { continuation.resume(returning: .fails(.ofCancelledCall)) }
            }
        } onCancel: {
            let call = state.withLock { state -> Call? in
                guard !state.keepsCancelled else { return nil }
                guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.waiting.remove(at: index)
            }
            call?.continuation.resume(returning: .fails(.ofCancelledCall))
        }
    }
}

/// The waiting calls of any kind.
protocol WaitingCalls: Sendable {
    func keepsCancelled(_ keeps: Bool)
    func passesAllWaiting() async
}

extension CallGate: WaitingCalls {
    /// Passes the calls that wait now.
    func passesAllWaiting() async { for _ in waiting { _ = try? await passes() } }
}

struct NotRefused: Error {}

extension ErrorMessage {
    /// An app must never show this error.
    fileprivate static var ofCancelledCall: ErrorMessage {
        ErrorMessage(title: .verbatim("Cancelled"), message: .verbatim("The call was cancelled."))
    }
}
