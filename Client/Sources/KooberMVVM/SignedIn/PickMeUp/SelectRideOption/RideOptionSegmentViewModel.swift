import KooberKit
import PouchEntities

/// One option to choose, as its button shows it.
public struct RideOptionSegmentViewModel: Hashable, Sendable, Identifiable {
    let option: PricedRideOption
    public internal(set) var isSelected = false

    public var id: String { option.id }
    public var title: String { option.option.name }
    public var fare: Money { option.quote.fare }
    public var capacity: Int { option.option.capacity }
}
