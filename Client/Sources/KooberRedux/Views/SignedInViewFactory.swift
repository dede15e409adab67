import PouchEntities

@MainActor
protocol SignedInViewFactory {
    func makeGettingUserLocationView(scope: SerialNumber) -> any StateView
    func makePickMeUpView(scope: SerialNumber, pickupLocation: GeoPoint) -> any StateView
    func makeWaitingForPickupView(scope: SerialNumber) -> any StateView
}
