import KooberKit
import PouchEntities

/// A kind of animal, as it is shown to choose from.
struct DisplayableRideOption: Sendable, Equatable, Identifiable {
    let id: PricedRideOption.ID
    let title: String
    let capacity: Int
    let fare: Money
    let isSelected: Bool

    init(_ option: PricedRideOption, isSelected: Bool) {
        id = option.id
        title = option.option.name
        capacity = option.option.capacity
        fare = option.quote.fare
        self.isSelected = isSelected
    }
}
