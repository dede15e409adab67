import KooberKit
import PouchEntities

/// A kind of animal, as it is shown to choose from.
public struct DisplayableRideOption: Sendable, Equatable, Identifiable {
    public let id: PricedRideOption.ID
    public let title: String
    public let capacity: Int
    public let fare: Money
    public let isSelected: Bool

    public init(_ option: PricedRideOption, isSelected: Bool) {
        id = option.id
        title = option.option.name
        capacity = option.option.capacity
        fare = option.quote.fare
        self.isSelected = isSelected
    }

    public var price: String { "\(fare.decimal) \(fare.currency.code)" }
}
