import Foundation
import PouchContract
import PouchEntities
import PouchWire

extension WireShape {
    static let rideAnswers: [WireShape] = [
        .answer(
            "named-location-page",
            Page(
                items: [
                    NamedLocation(name: "Sydney Opera House", location: operaHouse),
                    NamedLocation(name: "Taronga Zoo", location: GeoPoint(latitude: -33.8433, longitude: 151.2411)),
                ], nextCursor: "abc.def")),
        .answer(
            "ride-option-page",
            Page(items: [
                RideOption(
                    id: "wallaby", name: "Wallaby", capacity: 1, maxWeightGrams: 25_000,
                    images: .init(normal: "/assets/wallaby.svg", selected: "/assets/wallaby-selected.svg"))
            ])),
        .answer(
            "fare-quote-page",
            Page(items: [
                FareQuote(
                    id: "quo_01", rideOptionID: "wallaby", fare: euros(1290), distanceMetres: 5_400, etaSeconds: 486,
                    expiresAt: moment)
            ])),
        .answer(
            "ride",
            Ride(
                id: "rid_01", status: .accepted, waypoints: trip, rideOptionID: "wallaby", fare: euros(1290),
                driver: skippy, etaSeconds: 240, createdAt: moment, history: Array(rideHistory.prefix(2)))),
        .answer(
            "ride-requested",
            Ride(
                id: "rid_02", status: .requested, waypoints: trip, rideOptionID: "kangaroo", fare: euros(2580),
                driver: nil, etaSeconds: nil, createdAt: moment, history: Array(rideHistory.prefix(1)))),
        .answer(
            "ride-update-status",
            RideUpdate(status: .arriving, driver: skippy, etaSeconds: 30, history: rideHistory)),
        .answer("ride-update-position", RideUpdate(driver: skippy, etaSeconds: 20)),
        .answer(
            "ride-receipt",
            RideReceipt(
                rideID: "rid_01", fare: euros(1290), distanceMetres: 5_400, driverName: "Skippy",
                pickedUpAt: rideHistory[1].at, completedAt: rideHistory[2].at)),
    ]

    static let rideRequests: [WireShape] = [
        .request("request-quote", QuoteRequest(waypoints: trip)),
        .request(
            "request-ride", RideRequest(waypoints: trip, rideOptionID: "wallaby", quoteID: "quo_01"),
            optional: ["quoteID"]),
    ]

    private static let operaHouse = GeoPoint(latitude: -33.8568, longitude: 151.2153)
    private static let trip = RideWaypoints(
        pickupLocation: GeoPoint(latitude: -33.8614, longitude: 151.2108), dropoffLocation: operaHouse)
    private static let skippy = Ride.Driver(
        name: "Skippy", rating: 4.9, location: GeoPoint(latitude: -33.87, longitude: 151.21))
    private static let rideHistory: [Ride.Event] = [
        .init(status: .requested, at: moment),
        .init(status: .accepted, at: Date(timeIntervalSince1970: 1_798_859_046.001)),
        .init(status: .arriving, at: Date(timeIntervalSince1970: 1_798_934_400)),
    ]
}
