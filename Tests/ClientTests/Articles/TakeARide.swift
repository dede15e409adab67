import PouchClient

func fares(from pickup: GeoPoint, to place: String, in pouch: Pouch) async throws(DataError) -> [FareQuote] {
    guard let dropoff = try await pouch.locations.places(matching: place, near: pickup).first else { return [] }
    let trip = RideWaypoints(pickupLocation: pickup, dropoffLocation: dropoff.location)
    return try await pouch.rides.quotes(for: trip)
}

func takeRide(_ trip: RideWaypoints, for quote: FareQuote, in pouch: Pouch) async throws(DataError) -> Ride? {
    do throws(DataError) {
        return try await pouch.rides.request(trip, option: quote.rideOptionID, quote: quote)
    } catch {
        guard error.reason == .rideInProgress else { throw error }
        return try await pouch.rides.active()
    }
}

func followRide(_ id: Ride.ID, in pouch: Pouch, show: (String) -> Void) async throws -> RideReceipt? {
    var status = RideStatus.requested
    for try await ride in pouch.rides.follow(id) {
        status = ride.status
        let left = ride.etaMinutes.map { ", \($0) min" } ?? ""
        show("\(ride.driver?.name ?? "No driver yet"): \(status.rawValue)\(left)")
    }
    return status == .completed ? try await pouch.rides.receipt(of: id) : nil
}

func settleRideRequests(of pouch: Pouch) async throws(DataError) -> Ride? {
    for request in try await pouch.rides.unresolvedRequests() {
        do throws(DataError) {
            _ = try await pouch.rides.resume(request)
        } catch {
            guard !error.mayHaveTakenEffect else { throw error }
        }
    }
    return try await pouch.rides.active()
}
