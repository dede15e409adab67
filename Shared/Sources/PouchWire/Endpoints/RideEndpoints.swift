extension Endpoint {
    public static let ridePlaces = Endpoint("ridePlaces", .get, "/v1/ride/places", .anyone)
    public static let rideOptions = Endpoint("rideOptions", .get, "/v1/ride/options", .anyone)
    public static let quoteRide = Endpoint("quoteRide", .post, "/v1/ride/quotes", .customer)
    public static let requestRide = Endpoint("requestRide", .post, "/v1/rides", .customer)
    public static let rides = Endpoint("rides", .get, "/v1/rides", .customer)
    public static let ride = Endpoint("ride", .get, "/v1/rides/{id}", .customer)
    public static let cancelRide = Endpoint("cancelRide", .post, "/v1/rides/{id}/cancel", .customer)
    public static let rideReceipt = Endpoint("rideReceipt", .get, "/v1/rides/{id}/receipt", .customer)
    public static let rideEvents = Endpoint("rideEvents", .get, "/v1/rides/{id}/events", .customer)

    static let riding = [
        ridePlaces, rideOptions, quoteRide, requestRide, rides, ride, cancelRide, rideReceipt, rideEvents,
    ]
}
