import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    public static let ridePlaces = Exchange<NoBody, Page<NamedLocation>>(.ridePlaces, query: RidePlacesQuery.self)
    public static let rideOptions = Exchange<NoBody, Page<RideOption>>(.rideOptions, query: RideOptionsQuery.self)
    public static let quoteRide = Exchange<QuoteRequest, Page<FareQuote>>(
        .quoteRide, query: NoQuery.self, .readsOnly)
    public static let requestRide = Exchange<RideRequest, Ride>(
        .requestRide, status: 201, .keyRequired,
        problems: [.rideInProgress, .quoteExpired, .quoteMismatch, .emailUnverified])
    public static let rides = Exchange<NoBody, Page<Ride>>(.rides)
    public static let ride = Exchange<NoBody, Ride>(.ride)
    public static let cancelRide = Exchange<NoBody, Ride>(.cancelRide, problems: [.notCancellable])
    public static let rideReceipt = Exchange<NoBody, RideReceipt>(.rideReceipt, problems: [.rideNotCompleted])
    public static let rideEvents = Exchange<NoBody, ServerSentEvents<RideUpdate>>(
        .rideEvents, problems: [.invalidHeader])

    static let riding: [any AnyExchange] = [
        ridePlaces, rideOptions, quoteRide, requestRide, rides, ride, cancelRide, rideReceipt, rideEvents,
    ]
}

/// The body of `quoteRide`.
public struct QuoteRequest: Sendable, Equatable {
    public let waypoints: RideWaypoints

    public init(waypoints: RideWaypoints) {
        self.waypoints = waypoints
    }
}

extension QuoteRequest: JSONModel {
    public static let json = JSONObject(QuoteRequest.init, .field("waypoints", \.waypoints))
}

/// The body of `requestRide`.
public struct RideRequest: Sendable, Equatable {
    public let waypoints: RideWaypoints
    public let rideOptionID: String
    /// A quote of the rider for this trip and option; without one the current fare applies.
    public let quoteID: String?

    public init(waypoints: RideWaypoints, rideOptionID: String, quoteID: String? = nil) {
        self.waypoints = waypoints
        self.rideOptionID = rideOptionID
        self.quoteID = quoteID
    }
}

extension RideRequest: JSONModel {
    public static let json = JSONObject(
        RideRequest.init, .field("waypoints", \.waypoints), .field("rideOptionID", \.rideOptionID),
        .field("quoteID", \.quoteID))
}

/// The query of `ridePlaces`: a search text, and a point to search near.
public struct RidePlacesQuery: QueryDecodable {
    public let search: String?
    public let near: GeoPoint?
    public let page: PageQuery

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        search = try reader.text("q")
        near = try reader.point()
        page = try PageQuery(from: &reader)
    }
}

/// The query of `rideOptions`. Without a pick-up the response lists all options.
public struct RideOptionsQuery: QueryDecodable {
    public let pickup: GeoPoint?
    public let page: PageQuery

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        pickup = try reader.point()
        page = try PageQuery(from: &reader)
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
