import Foundation
import KooberTexts
import PouchEntities

/// A place in the app at which it starts: the user's last place, or that of a link.
public struct Destination: Codable, Hashable, Sendable {
    public enum Form: Codable, Hashable, Sendable {
        case signIn, signUp
    }

    /// The form for a user who is signed out; nil for the welcome screen.
    public var form: Form?
    /// The part of a ride request that is known; nil for the map. A ride in progress comes first.
    public var ride: RidePlan?
    public var isProfileShown: Bool
    /// Whether a signed-out user reaches the ride after signing in. Otherwise it is the place of another session.
    public var survivesSignIn: Bool

    public init(
        form: Form? = nil, ride: RidePlan? = nil, isProfileShown: Bool = false, survivesSignIn: Bool = false
    ) {
        self.form = form
        self.ride = ride
        self.isProfileShown = isProfileShown
        self.survivesSignIn = survivesSignIn
    }

    /// The destination for this user, who is signed out.
    public var afterSigningIn: Destination? { survivesSignIn ? self : nil }
}

/// The known part of a ride request.
public enum RidePlan: Codable, Hashable, Sendable {
    /// The search for a drop-off. A result with exactly this name is chosen if `choosesMatch`.
    case search(String, choosesMatch: Bool)
    /// A drop-off, and the id of the selected option.
    case dropoff(NamedLocation, option: String?)
}

extension Destination {
    /// The place that a screen shows.
    public init(_ screen: KooberScreen) {
        self.init(isProfileShown: screen.profile.map { !$0.isSigningOut } ?? false)
        switch screen.content {
        case .signIn: form = .signIn
        case .signUp: form = .signUp
        case .pickMeUp(let screen): ride = RidePlan(screen)
        case .launching, .welcome, .gettingUserLocation, .waitingForPickup: break
        }
    }

    /// Reads a link such as `koober://ride?to=Bondi%20Beach`. Spaces need not be escaped.
    ///
    /// - Returns: nil for a link that this app does not have.
    public init?(link: String) {
        let escaped = link.replacing(" ", with: "%20")
        guard let parts = URLComponents(string: escaped), parts.scheme?.lowercased() == "koober" else { return nil }
        let place = parts.queryItems?.first { $0.name == "to" }?.value
        switch (parts.host, place) {
        case ("ride", let place?) where !place.isEmpty:
            self.init(ride: .search(place, choosesMatch: true), survivesSignIn: true)
        case ("ride", nil): self.init(survivesSignIn: true)
        case ("profile", nil): self.init(isProfileShown: true, survivesSignIn: true)
        default: return nil
        }
    }
}

extension RidePlan {
    fileprivate init?(_ screen: PickMeUpScreen) {
        if case .selectDropoffLocation(let picker) = screen.step {
            self = .search(picker.query, choosesMatch: false)
        } else if let dropoff = screen.dropoff, case .verbatim(let name) = dropoff.name {
            let place = NamedLocation(name: name, location: dropoff.location)
            self = .dropoff(place, option: screen.step.picker?.selected?.id)
        } else {
            return nil
        }
    }
}

extension PickMeUpScreen.Step {
    fileprivate var picker: RideOptionPicker? {
        switch self {
        case .selectRideOption(let picker), .confirmRequest(let picker): picker
        case .initial, .selectDropoffLocation, .sendingRideRequest: nil
        }
    }
}

extension String {
    /// Whether two names are the same apart from case and accents.
    public func isSameName(as other: String) -> Bool {
        compare(other, options: [.caseInsensitive, .diacriticInsensitive]) == .orderedSame
    }
}
