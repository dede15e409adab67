import KooberKit
import KooberTexts
import PouchEntities

/// The map with the next decision of the user.
public struct PickMeUpScreen: Codable, Hashable, Sendable {
    public var pickup: DisplayablePlace
    public var dropoff: DisplayablePlace?
    public var step: Step
    /// Whether there is room for the map next to a list.
    public var showsMap: Bool

    public enum Step: Codable, Hashable, Sendable {
        /// Asks for a destination.
        case initial
        case selectDropoffLocation(DropoffPicker)
        case selectRideOption(RideOptionPicker)
        /// The ride options with one of them selected.
        case confirmRequest(RideOptionPicker)
        case sendingRideRequest
    }

    public init(
        pickupLocation: GeoPoint, dropoffLocation: NamedLocation? = nil, step: Step = .initial, showsMap: Bool = true
    ) {
        pickup = DisplayablePlace(at: pickupLocation)
        dropoff = dropoffLocation.map { DisplayablePlace($0, from: pickupLocation) }
        self.step = step
        self.showsMap = showsMap
    }
}

extension PickMeUpScreen.Step {
    /// Whether places or ride options are being loaded, or a ride is being requested.
    public var isBusy: Bool {
        switch self {
        case .initial: false
        case .selectDropoffLocation(let picker): picker.isSearching
        case .selectRideOption(let picker), .confirmRequest(let picker): picker.isLoading
        case .sendingRideRequest: true
        }
    }
}

/// The search for a destination.
public struct DropoffPicker: Codable, Hashable, Sendable {
    /// The text of the last search; empty for the places nearby.
    public var query: String
    /// The best match first.
    public var results: [DisplayablePlace]
    public var isSearching: Bool

    /// - Parameter pickupLocation: for the distances of the results.
    public init(
        query: String = "", results: [NamedLocation] = [], from pickupLocation: GeoPoint, isSearching: Bool = false
    ) {
        self.query = query
        self.results = results.map { DisplayablePlace($0, from: pickupLocation) }
        self.isSearching = isSearching
    }
}

/// The ride options of a trip.
public struct RideOptionPicker: Codable, Hashable, Sendable {
    /// Empty while the options are being loaded, and if loading failed.
    public var options: [DisplayableRideOption]
    public var isLoading: Bool

    public init(options: [DisplayableRideOption] = [], isLoading: Bool = false) {
        self.options = options
        self.isLoading = isLoading
    }

    public init(_ options: [PricedRideOption], selected: RideOption.ID?, isLoading: Bool) {
        self.init(
            options: options.map { DisplayableRideOption($0.option, $0.quote, isSelected: $0.id == selected) },
            isLoading: isLoading)
    }

    public var selected: DisplayableRideOption? { options.first(where: \.isSelected) }
}

/// A ride option as its button shows it.
public struct DisplayableRideOption: Codable, Hashable, Sendable, Identifiable {
    public let id: String
    public let title: String
    public let riders: Phrase
    public let weight: Phrase
    /// The fare of the whole trip.
    public let fare: Phrase
    /// The text of the button that confirms it.
    public let confirmation: Phrase
    /// The path of the drawing on the server, for a rendering that loads pictures. A terminal draws its own, and a page
    /// of `koober --web` does not contact another server.
    public let image: String
    public let isSelected: Bool

    public init(_ option: RideOption, _ quote: FareQuote, isSelected: Bool = false) {
        id = option.id
        title = option.name
        riders = .riders(option.capacity)
        weight = .weight(option.maxWeightGrams)
        fare = .price(quote.fare)
        confirmation = .rideBy(option.name, fare: quote.fare)
        image = isSelected ? option.images.selected : option.images.normal
        self.isSelected = isSelected
    }
}
