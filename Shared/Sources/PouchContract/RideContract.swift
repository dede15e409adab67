import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    public static let ridePlaces = Exchange<RidePlacesQuery, Page<NamedLocation>>(
        "ridePlaces", .get, "/v1/ride/places", .anyone,
        about: "Lists well-known places that match a text or are near a point.")
    public static let rideOptions = Exchange<RideOptionsQuery, Page<RideOption>>(
        "rideOptions", .get, "/v1/ride/options", .anyone,
        about: "Lists the ride options at a pick-up location, smallest first.")
    public static let quoteRide = Exchange<QuoteRequest, Page<FareQuote>>(
        "quoteRide", .post, "/v1/ride/quotes", .customer, .readsOnly,
        about: "Quotes a fare for each option of a trip, valid until it expires.")
    public static let requestRide = Exchange<RideRequest, Ride>(
        "requestRide", .post, "/v1/rides", .customer, status: 201, .keyRequired,
        problems: [.rideInProgress, .quoteExpired, .quoteMismatch, .emailUnverified],
        about: "Requests a ride at a quoted fare or the current fare.")
    public static let rides = Exchange<PageQuery, Page<Ride>>(
        "rides", .get, "/v1/rides", .customer,
        about: "Lists the account's rides, latest first.")
    public static let ride = Exchange<NoInput, Ride>(
        "ride", .get, "/v1/rides/{id}", .customer,
        about: "Returns a ride.")
    public static let cancelRide = Exchange<NoInput, Ride>(
        "cancelRide", .post, "/v1/rides/{id}/cancel", .customer, problems: [.notCancellable],
        about: "Cancels a ride before the pick-up.")
    public static let rideReceipt = Exchange<NoInput, RideReceipt>(
        "rideReceipt", .get, "/v1/rides/{id}/receipt", .customer, problems: [.rideNotCompleted],
        about: "Returns the receipt of a completed ride.")
    public static let rideEvents = Exchange<NoInput, ServerSentEvents<RideUpdate>>(
        "rideEvents", .get, "/v1/rides/{id}/events", .customer, problems: [.invalidHeader],
        about: "Streams a ride's status changes and the driver's location as server-sent events.")

    static let rideExchanges: [any AnyExchange] = [
        ridePlaces, rideOptions, quoteRide, requestRide, rides, ride, cancelRide, rideReceipt, rideEvents,
    ]
}

/// The body of `quoteRide`.
public struct QuoteRequest: JSONModel, Equatable {
    public let waypoints: RideWaypoints

    public init(waypoints: RideWaypoints) {
        self.waypoints = waypoints
    }

    public static let json = JSONObject(QuoteRequest.init, .field("waypoints", \.waypoints))
}

/// The body of `requestRide`.
public struct RideRequest: JSONModel, Equatable {
    public let waypoints: RideWaypoints
    public let rideOptionID: String
    /// A quote issued to the rider for this trip and option. Without a quote, the current fare applies.
    public let quoteID: String?

    public init(waypoints: RideWaypoints, rideOptionID: String, quoteID: String? = nil) {
        self.waypoints = waypoints
        self.rideOptionID = rideOptionID
        self.quoteID = quoteID
    }

    public static let json = JSONObject(
        RideRequest.init, .field("waypoints", \.waypoints), .field("rideOptionID", \.rideOptionID),
        .field("quoteID", \.quoteID))
}

/// The query of `ridePlaces`: a search text, and a point to search near.
public struct RidePlacesQuery: PagedQuery {
    public var search: String?
    public var near: GeoPoint?
    public var page = PageQuery()

    public init() {}

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.text("q", &search)
        try coder.point(&near)
        try page.code(&coder)
    }
}

/// The query of `rideOptions`. Without a pick-up the response lists all options.
public struct RideOptionsQuery: PagedQuery {
    public var pickup: GeoPoint?
    public var page = PageQuery()

    public init() {}

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.point(&pickup)
        try page.code(&coder)
    }
}

// MARK: - Facts of answers

extension Ride.Driver: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["rating": .range(1.0...5.0, example: 4.9)]
}

extension RideOption: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = [
        "capacity": .atLeast(1, example: 1), "maxWeightGrams": .atLeast(1, example: 25_000),
    ]
}

extension FareQuote: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = [
        "distanceMetres": .atLeast(0, example: 5_400), "etaSeconds": .atLeast(0, example: 486),
    ]
}

extension Ride: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["etaSeconds": .atLeast(0, example: 240)]
}
