import KooberKit
import KooberRedux
import PouchEntities
import Synchronization

/// A model layer that knows each of its calls by the effect which makes it, and answers when a test says so.
///
/// A cancelled call goes on waiting, as a call does that reached the service, so that a test can answer it late.
final class EffectModel: CalledModel {
    private struct Call {
        let effect: AppEffect
        var isCancelled = false
        let answers: AsyncStream<Result<any Sendable, ErrorMessage>>.Continuation
    }

    private struct State {
        var calls: [Int: Call] = [:]
        var count = 0
        var writes: [String] = []
        var writeError: ErrorMessage?
        var renewal: SessionWriter?
    }

    private let state = Mutex(State())

    /// The effects of the calls that are neither answered nor cancelled. An effect that runs twice is there twice.
    var running: [AppEffect] { state.withLock { $0.calls.values.filter { !$0.isCancelled }.map(\.effect) } }
    /// The effects of the cancelled calls that wait for a late answer.
    var cancelled: [AppEffect] { state.withLock { $0.calls.values.filter(\.isCancelled).map(\.effect) } }
    /// The writes of the session, in order.
    var writes: [String] { state.withLock { $0.writes } }

    /// Makes each later write fail after it is noted.
    func failWrites(_ error: ErrorMessage) { state.withLock { $0.writeError = error } }

    /// Hands renewed tokens to the app, and waits until it has stored them.
    func renew(_ session: UserSession) async throws {
        let renewal = state.withLock { $0.renewal }
        try await renewal?(session)
    }

    /// Answers the oldest call of the effect. The answer must have the type that the call returns or yields.
    /// - Returns: false if the effect makes no call.
    @discardableResult
    func answer(_ effect: AppEffect, _ result: Result<any Sendable, ErrorMessage>) -> Bool {
        let call = state.withLock { state in
            state.calls.filter { $0.value.effect == effect }.min { $0.key < $1.key }?.value
        }
        call?.answers.yield(result)
        return call != nil
    }

    func end() { for call in state.withLock({ $0.calls.values }) { call.answers.finish() } }

    // MARK: Calls

    var storedSession: UserSession? { nil }
    var foundRide: Ride? { nil }

    func call<Answer: Sendable>(_ call: ModelCall, _ sample: Answer) async throws(ErrorMessage) -> Answer {
        switch call {
        case .save(let session): try write("save \(session.id) with \(session.remoteSession.accessToken)")
        case .delete(let session): try write("delete \(session.id)")
        case .readSession: return try await run(.launching(.readUserSession))
        case .signIn: return try await run(.onboarding(.signIn))
        case .signUp: return try await run(.onboarding(.signUp))
        case .signOut: return try await run(.signedIn(.signOut))
        case .findRide: return try await run(.signedIn(.gettingUserLocation(.findActiveRide)))
        case .findLocation: return try await run(.signedIn(.gettingUserLocation(.findUserLocation)))
        case .search(let query, let pickup): return try await run(.signedIn(.pickMeUp(.search(query, near: pickup))))
        case .loadOptions(let trip): return try await run(.signedIn(.pickMeUp(.loadRideOptions(trip))))
        case .request(let request): return try await run(.signedIn(.pickMeUp(.requestRide(request))))
        case .cancel(let id): return try await run(.signedIn(.waitingForPickup(.cancel(id))))
        }
        return sample
    }

    func end(of userSession: UserSession) -> AsyncStream<ErrorMessage> {
        withoutErrors(stream(.signedIn(.followSession(userSession.id))))
    }

    func updates(of id: Ride.ID) -> AsyncThrowingStream<Ride, any Error> {
        stream(.signedIn(.waitingForPickup(.follow(id))))
    }

    func connectivity() -> AsyncStream<Bool> { withoutErrors(stream(.followConnectivity)) }
    func onRenewal(_ store: @escaping SessionWriter) { state.withLock { $0.renewal = store } }

    private func run<Answer: Sendable>(_ effect: AppEffect) async throws(ErrorMessage) -> Answer {
        let (id, answers) = begin(effect)
        let result = await withTaskCancellationHandler {
            // In a task of its own, which the caller's cancellation does not reach.
            await Task { await answers.first { _ in true } }.value
        } onCancel: {
            state.withLock { $0.calls[id]?.isCancelled = true }
        }
        state.withLock { $0.calls[id] = nil }
        switch result {
        case .success(let answer as Answer): return answer
        case .failure(let error): throw error
        case .success, nil: throw .sample("no answer to \(effect)")
        }
    }

    private func stream<Element: Sendable>(_ effect: AppEffect) -> AsyncThrowingStream<Element, any Error> {
        let (id, answers) = begin(effect)
        return AsyncThrowingStream { continuation in
            let task = Task {
                for await answer in answers {
                    switch answer {
                    case .success(let element): if let element = element as? Element { continuation.yield(element) }
                    case .failure(let error): continuation.finish(throwing: error)
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { [weak self] _ in
                task.cancel()
                self?.state.withLock { $0.calls[id] = nil }
            }
        }
    }

    private func begin(_ effect: AppEffect) -> (id: Int, AsyncStream<Result<any Sendable, ErrorMessage>>) {
        let (answers, continuation) = AsyncStream.makeStream(of: Result<any Sendable, ErrorMessage>.self)
        return state.withLock { state in
            state.count += 1
            state.calls[state.count] = Call(effect: effect, answers: continuation)
            return (state.count, answers)
        }
    }

    private func write(_ text: String) throws(ErrorMessage) {
        let error = state.withLock { state in
            state.writes.append(text)
            return state.writeError
        }
        if let error { throw error }
    }
}
