import KooberKit
import KooberRedux
import PouchEntities
import Synchronization

/// A model layer that knows each of its calls by the effect which makes it, and answers when a test says so.
///
/// A cancelled call goes on waiting, as a call does that reached the service, so that a test can answer it late.
final class EffectModel: KooberModelFactory {
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
    var running: [AppEffect] {
        state.withLock { $0.calls.values.filter { !$0.isCancelled }.map(\.effect) }
    }
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

    func end() {
        for call in state.withLock({ $0.calls.values }) { call.answers.finish() }
    }

    func makeUserSessionDataStore() -> any UserSessionDataStore { EffectCalls(model: self) }
    func makeAuthRemoteAPI() -> any AuthRemoteAPI { EffectCalls(model: self) }
    func makeConnectivitySource() -> any ConnectivitySource { EffectCalls(model: self) }
    func makeUserLocationSource() -> any UserLocationSource { EffectCalls(model: self) }
    func makeLocationRepository(for userSession: UserSession) -> any LocationRepository { EffectCalls(model: self) }
    func makeRideOptionRepository(for userSession: UserSession) -> any RideOptionRepository { EffectCalls(model: self) }
    func makeNewRideRepository(for userSession: UserSession) -> any NewRideRepository { EffectCalls(model: self) }

    // MARK: Calls

    fileprivate func call<Answer: Sendable>(_ effect: AppEffect) async throws(ErrorMessage) -> Answer {
        let (id, answers) = begin(effect)
        let result = await withTaskCancellationHandler {
            // In a task of its own, which the caller's cancellation does not reach.
            await Task { await answers.first { _ in true } }.value
        } onCancel: {
            cancel(id)
        }
        state.withLock { $0.calls[id] = nil }
        switch result {
        case .success(let answer as Answer): return answer
        case .failure(let error): throw error
        case .success, nil: throw .sample("no answer to \(effect)")
        }
    }

    fileprivate func stream<Element: Sendable>(_ effect: AppEffect) -> AsyncThrowingStream<Element, any Error> {
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

    private func cancel(_ id: Int) { state.withLock { $0.calls[id]?.isCancelled = true } }

    fileprivate func write(_ text: String) throws(ErrorMessage) {
        let error = state.withLock { state in
            state.writes.append(text)
            return state.writeError
        }
        if let error { throw error }
    }

    fileprivate func setRenewal(_ writer: @escaping SessionWriter) { state.withLock { $0.renewal = writer } }
}

/// The repositories of an `EffectModel`, each call of which is one effect.
private final class EffectCalls: UserSessionDataStore, AuthRemoteAPI, ConnectivitySource, UserLocationSource,
    LocationRepository, RideOptionRepository, NewRideRepository
{
    private let model: EffectModel

    init(model: EffectModel) { self.model = model }

    func readUserSession() async throws(ErrorMessage) -> UserSession? {
        try await model.call(.launching(.readUserSession))
    }

    func save(_ userSession: UserSession) async throws(ErrorMessage) {
        try model.write("save \(userSession.id) with \(userSession.remoteSession.accessToken)")
    }

    func delete(_ userSession: UserSession) async throws(ErrorMessage) { try model.write("delete \(userSession.id)") }

    func signIn(_ credentials: Credentials) async throws(ErrorMessage) -> UserSession {
        try await model.call(.onboarding(.signIn))
    }

    func signUp(_ account: NewAccount) async throws(ErrorMessage) -> UserSession {
        try await model.call(.onboarding(.signUp))
    }

    func signOut(_ userSession: UserSession) async throws(ErrorMessage) {
        let _: Bool = try await model.call(.signedIn(.signOut))
    }

    func end(of userSession: UserSession) -> AsyncStream<ErrorMessage> {
        withoutErrors(model.stream(.signedIn(.followSession(userSession.id))))
    }

    func onRenewal(_ store: @escaping SessionWriter) { model.setRenewal(store) }
    func connectivity() -> AsyncStream<Bool> { withoutErrors(model.stream(.followConnectivity)) }

    func userLocation() async throws(ErrorMessage) -> GeoPoint {
        try await model.call(.signedIn(.gettingUserLocation(.findUserLocation)))
    }

    func searchForLocations(using query: String, near pickupLocation: GeoPoint) async throws(ErrorMessage)
        -> [NamedLocation]
    { try await model.call(.signedIn(.pickMeUp(.search(query, near: pickupLocation)))) }

    func rideOptions(for waypoints: RideWaypoints) async throws(ErrorMessage) -> [PricedRideOption] {
        try await model.call(.signedIn(.pickMeUp(.loadRideOptions(waypoints))))
    }

    func request(_ request: NewRideRequest) async throws(ErrorMessage) -> Ride {
        try await model.call(.signedIn(.pickMeUp(.requestRide(request))))
    }

    func activeRide() async throws(ErrorMessage) -> Ride? {
        try await model.call(.signedIn(.gettingUserLocation(.findActiveRide)))
    }

    func cancel(_ id: Ride.ID) async throws(ErrorMessage) -> Ride {
        try await model.call(.signedIn(.waitingForPickup(.cancel(id))))
    }

    func updates(of id: Ride.ID) -> AsyncThrowingStream<Ride, any Error> {
        model.stream(.signedIn(.waitingForPickup(.follow(id))))
    }

    private func withoutErrors<Element: Sendable>(
        _ stream: AsyncThrowingStream<Element, any Error>
    ) -> AsyncStream<Element> {
        AsyncStream { continuation in
            let task = Task {
                do { for try await element in stream { continuation.yield(element) } } catch {}
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
