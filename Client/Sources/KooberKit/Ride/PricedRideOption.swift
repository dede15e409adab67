import PouchEntities

/// A kind of animal, with what it costs for one trip.
public struct PricedRideOption: Sendable, Hashable, Identifiable {
    public let option: RideOption
    public let quote: FareQuote

    public var id: RideOption.ID { option.id }

    public init(option: RideOption, quote: FareQuote) {
        self.option = option
        self.quote = quote
    }
}
