import KooberScreens
import KooberTexts
import PouchEntities
import PouchTerminal

/// A screen in one line of plain text. Its words are the same in every language, except for texts, prices and errors.
public struct ScreenLine: Sendable, Equatable {
    public let text: String

    /// - Parameter isVerbose: adds the facts that differ between runs: the id, the driver and the time of a ride.
    public init(_ screen: KooberScreen, in language: Language = .english, isVerbose: Bool = false) {
        var parts = [Lines(language: language, isVerbose: isVerbose).content(screen.content)]
        if let profile = screen.profile {
            let facts = [profile.name, profile.email, profile.mobileNumber].filter { !$0.isEmpty }
            parts.append(
                "profile: \(facts.joined(separator: ", "))" + (profile.isSigningOut ? ", signing out" : ""))
        }
        if let error = screen.error {
            parts.append("error: \(language.text(error.title)): \(language.text(error.message))")
        }
        if screen.isOffline { parts.append("offline") }
        // Prices have no-break spaces, which a search for them would miss.
        text = parts.joined(separator: " | ").harmless.replacing("\u{A0}", with: " ")
    }
}

private struct Lines {
    let language: Language
    let isVerbose: Bool

    func content(_ content: KooberScreen.Content) -> String {
        switch content {
        case .launching: "launching"
        case .welcome: "welcome"
        case .signIn(let form): "sign-in" + state(form)
        case .signUp(let form): "sign-up" + state(form)
        case .gettingUserLocation: "locating"
        case .pickMeUp(let screen): pickMeUp(screen)
        case .waitingForPickup(let screen): waiting(screen)
        }
    }

    private func state(_ form: FormScreen) -> String {
        let problems = form.problems.sorted { $0.key < $1.key }
        return (form.isBusy ? ", busy" : "")
            + problems.map { "; \($0.key.rawValue): \(language.text($0.value))" }.joined()
    }

    private func pickMeUp(_ screen: PickMeUpScreen) -> String {
        var places = "from \(language.text(screen.pickup.name))"
        if let dropoff = screen.dropoff { places += " to \(language.text(dropoff.name))" }
        return switch screen.step {
        case .initial: "map \(places)"
        case .selectDropoffLocation(let picker):
            "drop-off \(places): “\(picker.query)”\(picker.isSearching ? ", searching" : "")"
                + picker.results.map { "; \(language.text($0.name))" }.joined()
        case .selectRideOption(let picker): "options \(places)" + options(picker)
        case .confirmRequest(let picker): "confirm \(places)" + options(picker)
        case .sendingRideRequest: "sending \(places)"
        }
    }

    private func options(_ picker: RideOptionPicker) -> String {
        (picker.isLoading ? ", loading" : "")
            + picker.options.map { option in
                "; \(option.isSelected ? "*" : "")\(option.id) \(option.title) \(language.text(option.riders)) at "
                    + language.text(option.fare)
            }.joined()
    }

    private func waiting(_ screen: WaitingScreen) -> String {
        let ride = screen.ride
        let line = "ride \(ride.status.rawValue)" + (screen.isCancelling ? ", cancelling" : "")
        guard isVerbose else { return line }
        let driver = ride.driver.map { "; \($0.name) \(language.text(DisplayablePlace(at: $0.location).name))" } ?? ""
        return line + "; \(ride.id)" + driver + (ride.secondsLeft.map { "; \($0) s" } ?? "")
    }
}
