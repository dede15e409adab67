import KooberKit
import KooberScenarios
import PouchEntities
import Synchronization

/// Rides whose updates come when the test says so, several at once if it likes.
final class TestRides: NewRideRepository {
    let cancelling = CallGate<Ride, Ride>()
    private let followers = Mutex<(count: Int, last: AsyncThrowingStream<Ride, any Error>.Continuation?)>((0, nil))
    private let left = Mutex(false)

    /// How often somebody began to.
    var followed: Int { followers.withLock { $0.count } }
    /// Whether somebody stopped of themselves.
    var isLeft: Bool { left.withLock { $0 } }

    func update(_ ride: Ride) {
        followers.withLock { $0.last }?.yield(ride)
    }

    func lose(_ error: ErrorMessage) {
        followers.withLock { $0.last }?.finish(throwing: error)
    }

    func request(_ request: NewRideRequest) async throws(ErrorMessage) -> Ride {
        throw ErrorMessage(title: "Request failed", message: "These rides are only followed.")
    }

    func activeRide() async throws(ErrorMessage) -> Ride? { nil }

    func cancel(_ ride: Ride) async throws(ErrorMessage) -> Ride {
        try await cancelling.call(ride) { () async throws(ErrorMessage) in
            ride.applying(RideUpdate(status: .cancelledByRider))
        }
    }

    func updates(of ride: Ride) -> AsyncThrowingStream<Ride, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Ride.self)
        continuation.onTermination = { [weak self] in
            guard case .cancelled = $0 else { return }
            self?.left.withLock { $0 = true }
        }
        followers.withLock { $0 = ($0.count + 1, continuation) }
        return stream
    }
}
