import PouchEntities
import PouchWire

extension Contract {
    public static let ridePlaces = Exchange<NoBody, Page<NamedLocation>>(.ridePlaces, query: RidePlacesQuery.self)
    public static let rideOptions = Exchange<NoBody, Page<RideOption>>(.rideOptions, query: RideOptionsQuery.self)
    public static let quoteRide = Exchange<QuoteRequest, Page<FareQuote>>(.quoteRide, query: NoQuery.self)
    public static let requestRide = Exchange<RideRequest, Ride>(
        .requestRide, status: 201, .keyRequired, problems: [.rideInProgress, .quoteExpired, .quoteMismatch])
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
