import KooberKit
import PouchEntities

/// Sends one request. It is not heard of any more when this goes.
@MainActor
public final class SendingRideRequestViewModel {
    private let rideRequest: NewRideRequest
    private let newRideRepository: any NewRideRepository
    private let newRideRequestAcceptedResponder: any NewRideRequestAcceptedResponder
    private let newRideRequestFailedResponder: any NewRideRequestFailedResponder
    private let sending = LatestWork()

    public init(
        rideRequest: NewRideRequest,
        newRideRepository: any NewRideRepository,
        newRideRequestAcceptedResponder: any NewRideRequestAcceptedResponder,
        newRideRequestFailedResponder: any NewRideRequestFailedResponder
    ) {
        self.rideRequest = rideRequest
        self.newRideRepository = newRideRepository
        self.newRideRequestAcceptedResponder = newRideRequestAcceptedResponder
        self.newRideRequestFailedResponder = newRideRequestFailedResponder
    }

    public func sendRideRequest() {
        sending.call { [newRideRepository, rideRequest] () async throws(ErrorMessage) in
            try await newRideRepository.request(rideRequest)
        } then: { [weak self] in
            self?.finish($0)
        }
    }

    private func finish(_ ride: Result<Ride, ErrorMessage>) {
        switch ride {
        case .success(let ride): try? newRideRequestAcceptedResponder.newRideRequestAccepted(ride)
        case .failure(let errorMessage): newRideRequestFailedResponder.newRideRequestFailed(errorMessage)
        }
    }
}
