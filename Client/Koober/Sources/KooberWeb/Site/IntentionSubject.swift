import KooberScreens
import KooberTexts

extension KooberScreen {
    /// The object of the decision: the offered trip, the ride, or the error.
    ///
    /// A form contains it, so that a form of an older page can confirm only the trip that it showed. Nil for an
    /// intention that means the same on every page, or that names its value.
    func subject(of intention: Intention) -> String? {
        switch (intention, content) {
        case (.acknowledgeError, _): error.map(Self.digest)
        case (.confirmRide, .pickMeUp(let screen)): screen.offer.map(Self.digest)
        case (.cancelRide, .waitingForPickup(let screen)), (.startNewRide, .waitingForPickup(let screen)):
            screen.ride.id
        default: nil
        }
    }

    /// A digest that differs in each process. No form outlives its process, because the token does not.
    private static func digest(_ subject: some Hashable) -> String {
        String(UInt(bitPattern: subject.hashValue), radix: 16)
    }
}

/// A trip as the user has seen it.
private struct Offer: Hashable {
    let pickup: DisplayablePlace
    let dropoff: DisplayablePlace?
    let option: String
    let fare: Phrase
}

extension PickMeUpScreen {
    fileprivate var offer: Offer? {
        guard case .confirmRequest(let picker) = step, let selected = picker.selected else { return nil }
        return Offer(pickup: pickup, dropoff: dropoff, option: selected.id, fare: selected.fare)
    }
}
