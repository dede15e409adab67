import KooberKit
import PouchEntities

/// A ride that can be confirmed: one of the options that were offered is selected.
public struct RideDraft: Equatable, Sendable {
    public let dropoffLocation: NamedLocation
    public let options: [PricedRideOption]
    public let selected: PricedRideOption

    /// nil where that option is not offered.
    init?(dropoffLocation: NamedLocation, options: [PricedRideOption], selecting id: RideOption.ID) {
        guard let selected = options.first(where: { $0.id == id }) else { return nil }
        self.dropoffLocation = dropoffLocation
        self.options = options
        self.selected = selected
    }

    /// The same trip with another option.
    func selecting(_ id: RideOption.ID) -> RideDraft {
        RideDraft(dropoffLocation: dropoffLocation, options: options, selecting: id) ?? self
    }
}
