import PouchEntities

/// A delivery method priced by territory and weight.
public struct ShippingTariff: DeliveryOption, Equatable, Encodable {
    /// The rates for some territories.
    public struct Region: Sendable, Equatable, Encodable {
        public let territories: [Territory]
        /// The rates by increasing weight.
        public let rates: [Rate]
        /// The value of the goods, less their discount, from which shipping is free.
        public let freeFrom: Money?

        public init(territories: [Territory] = [.everywhere], rates: [Rate], freeFrom: Money? = nil) {
            self.territories = territories
            self.rates = rates.sorted { $0.upToGrams ?? .max < $1.upToGrams ?? .max }
            self.freeFrom = freeFrom
        }
    }

    public struct Rate: Sendable, Equatable, Encodable {
        /// The maximum weight of all units; nil for any weight.
        public let upToGrams: Int?
        public let price: Money

        public init(upToGrams: Int? = nil, price: Money) {
            self.upToGrams = upToGrams
            self.price = price
        }
    }

    public let id: String
    public let name: String
    /// The delivery time, for display.
    public let estimate: String
    /// The regions. The most specific one for the address applies; if there is none, the method does not serve the
    /// address.
    public let regions: [Region]

    public init(id: String, name: String, estimate: String, regions: [Region]) {
        self.id = id
        self.name = name
        self.estimate = estimate
        self.regions = regions
    }

    /// - Parameter goods: the amount paid for the lines.
    public func method(to place: Destination, grams: Int, goods: Money) -> ShippingMethod? {
        guard let region = region(for: place),
            let rate = region.rates.first(where: { $0.upToGrams ?? .max >= grams })
        else { return nil }
        let isFree = region.freeFrom.map { goods.amount >= $0.amount } ?? false
        return ShippingMethod(
            id: id, name: name, price: isFree ? .zero(rate.price.currency) : rate.price, estimate: estimate)
    }

    /// The rates for a destination; nil if the method does not serve it.
    package func region(for place: Destination) -> Region? {
        regions.mostSpecific(for: place, territories: \.territories)
    }
}
