import PouchContract
import PouchEntities
import PouchWire
import Testing

extension Caller {
    func quotes(_ waypoints: RideWaypoints = .sample) async throws -> [FareQuote] {
        try await call(Contract.quoteRide, QuoteRequest(waypoints: waypoints)).good().items
    }

    func requestRide(
        _ waypoints: RideWaypoints = .sample, option: String = "wallaby", quote: String? = nil,
        key: String? = Caller.key()
    ) async throws -> Answered<Ride> {
        try await call(
            Contract.requestRide, RideRequest(waypoints: waypoints, rideOptionID: option, quoteID: quote),
            headers: key.map { [HeaderName.idempotencyKey: $0] } ?? [:])
    }

    func ride(_ id: String) async throws -> Answered<Ride> { try await call(Contract.ride, path: ["id": id]) }

    func cancelRide(_ id: String, key: String? = nil) async throws -> Answered<Ride> {
        try await call(
            Contract.cancelRide, path: ["id": id], headers: key.map { [HeaderName.idempotencyKey: $0] } ?? [:])
    }

    func receipt(_ id: String) async throws -> Answered<RideReceipt> {
        try await call(Contract.rideReceipt, path: ["id": id])
    }
}

extension RideWaypoints {
    /// A trip of some kilometres through Sydney.
    static let sample = RideWaypoints(pickupLocation: .operaHouse, dropoffLocation: .bondi)
}
