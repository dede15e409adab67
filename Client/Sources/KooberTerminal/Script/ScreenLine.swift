import KooberScreens
import PouchEntities
import PouchTerminal

/// A screen in one line of plain text.
public struct ScreenLine: Sendable, Equatable {
    public let text: String

    /// - Parameter isVerbose: adds the facts that differ between runs: the id, the driver and the time of a ride.
    public init(_ screen: KooberScreen, isVerbose: Bool = false) {
        var parts = [Self.content(screen.content, isVerbose)]
        if let profile = screen.profile {
            let facts = [profile.name, profile.email, profile.mobileNumber].filter { !$0.isEmpty }
            parts.append(
                "profile: \(facts.joined(separator: ", "))" + (profile.isSigningOut ? ", signing out" : ""))
        }
        if let error = screen.error { parts.append("error: \(error.title): \(error.message)") }
        text = parts.joined(separator: " | ").harmless
    }

    private static func content(_ content: KooberScreen.Content, _ isVerbose: Bool) -> String {
        switch content {
        case .launching: "launching"
        case .welcome: "welcome"
        case .signIn(let form): "sign-in" + state(form)
        case .signUp(let form): "sign-up" + state(form)
        case .gettingUserLocation: "locating"
        case .pickMeUp(let screen): pickMeUp(screen)
        case .waitingForPickup(let screen): waiting(screen, isVerbose)
        }
    }

    private static func state(_ form: FormScreen) -> String {
        (form.isBusy ? ", busy" : "") + (form.inputsEnabled ? "" : ", inputs disabled")
            + (form.buttonEnabled ? "" : ", button disabled")
    }

    private static func pickMeUp(_ screen: PickMeUpScreen) -> String {
        var places = "from \(place(screen.pickupLocation))"
        if let dropoff = screen.dropoffLocation { places += " to \(dropoff.name)" }
        return switch screen.step {
        case .initial: "map \(places)"
        case .selectDropoffLocation(let picker):
            "drop-off \(places): “\(picker.query)”\(picker.isSearching ? ", searching" : "")"
                + picker.results.map { "; \($0.name)" }.joined()
        case .selectRideOption(let picker): "options \(places)" + options(picker)
        case .confirmRequest(let picker): "confirm \(places)" + options(picker)
        case .sendingRideRequest: "sending \(places)"
        }
    }

    private static func options(_ picker: RideOptionPicker) -> String {
        (picker.isLoading ? ", loading" : "")
            + picker.segments.map { segment in
                "; \(segment.isSelected ? "*" : "")\(segment.id) \(segment.title) for \(segment.capacity) at "
                    + "\(segment.fare.text)"
            }.joined()
    }

    private static func waiting(_ screen: WaitingScreen, _ isVerbose: Bool) -> String {
        let ride = screen.ride
        let line = "ride \(ride.status.rawValue)" + (screen.isCancelling ? ", cancelling" : "")
        guard isVerbose else { return line }
        let driver = ride.driver.map { "; \($0.name) at \(place($0.location))" } ?? ""
        return line + "; \(ride.id)" + driver + (ride.etaSeconds.map { "; \($0) s" } ?? "")
    }

    /// Rounded to ten metres.
    private static func place(_ point: GeoPoint) -> String {
        "\(rounded(point.latitude)),\(rounded(point.longitude))"
    }

    private static func rounded(_ degrees: Double) -> Double { (degrees * 10_000).rounded() / 10_000 }
}
