import PouchEntities

/// A way of delivery whose price depends on territory and weight.
public struct ShippingTariff: DeliveryOption, Equatable {
    /// What it costs in some territories.
    public struct Region: Sendable, Equatable {
        public let territories: [Territory]
        /// From the lightest on.
        public let rates: [Rate]
        /// From this value of the goods, less their discount, the shipping is free.
        public let freeFrom: Money?

        public init(territories: [Territory] = [.everywhere], rates: [Rate], freeFrom: Money? = nil) {
            self.territories = territories
            self.rates = rates.sorted { $0.upToGrams ?? .max < $1.upToGrams ?? .max }
            self.freeFrom = freeFrom
        }
    }

    public struct Rate: Sendable, Equatable {
        /// The most that all units together may weigh; nil: any weight.
        public let upToGrams: Int?
        public let price: Money

        public init(upToGrams: Int? = nil, price: Money) {
            self.upToGrams = upToGrams
            self.price = price
        }
    }

    public let id: String
    public let name: String
    /// When it arrives, for people.
    public let estimate: String
    /// The one that describes the address most narrowly counts; where none does, this way does not reach.
    public let regions: [Region]

    public init(id: String, name: String, estimate: String, regions: [Region]) {
        self.id = id
        self.name = name
        self.estimate = estimate
        self.regions = regions
    }

    /// - Parameter goods: what is paid for the lines.
    public func method(to place: Destination, grams: Int, goods: Money) -> ShippingMethod? {
        guard let region = regions.mostSpecific(for: place, territories: \.territories),
            let rate = region.rates.first(where: { $0.upToGrams ?? .max >= grams })
        else { return nil }
        let isFree = region.freeFrom.map { goods.amount >= $0.amount } ?? false
        return ShippingMethod(
            id: id, name: name, price: isFree ? .zero(rate.price.currency) : rate.price, estimate: estimate)
    }
}
