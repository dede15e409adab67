import Foundation
import PouchEntities

/// A SKU with its current price and stock.
public struct Offer: Sendable, Equatable {
    public let sku: String
    public let productHandle: String
    public let categoryId: String
    /// The weight; 0 if the feed has none.
    public let weightGrams: Int
    public let price: Money
    /// The units on hand that are not held, or whose hold has expired.
    public let available: Int

    public init(
        sku: String, productHandle: String, categoryId: String, weightGrams: Int, price: Money, available: Int
    ) {
        self.sku = sku
        self.productHandle = productHandle
        self.categoryId = categoryId
        self.weightGrams = weightGrams
        self.price = price
        self.available = available
    }
}

/// The texts and image of an offer, separate because most cart operations do not need them.
public struct OfferDescription: Sendable, Equatable {
    public let name: String
    public let image: ProductImage?
    public let options: [String: String]

    public init(name: String, image: ProductImage?, options: [String: String]) {
        self.name = name
        self.image = image
        self.options = options
    }
}

/// An offer with its description.
public struct DescribedOffer: Sendable, Equatable {
    public let offer: Offer
    public let description: OfferDescription

    public init(offer: Offer, description: OfferDescription) {
        self.offer = offer
        self.description = description
    }
}

/// A quantity of an offer.
public struct PricedLine: Sendable, Equatable {
    public let offer: Offer
    public let quantity: Int
    public let total: Money
    /// The unit price that the buyer has seen; nil if none was stored.
    public let seenPrice: Money?

    /// - Throws: `MoneyError.overflow`.
    public init(offer: Offer, quantity: Int, seenPrice: Money? = nil) throws(MoneyError) {
        self.offer = offer
        self.quantity = quantity
        self.seenPrice = seenPrice
        total = try offer.price.multiplied(by: quantity)
    }

    /// The line with other prices for the same units.
    func withPrices(_ price: (Money) throws(MoneyError) -> Money) throws(MoneyError) -> PricedLine {
        var seen: Money?
        if let seenPrice { seen = try price(seenPrice) }
        return try PricedLine(
            offer: Offer(
                sku: offer.sku, productHandle: offer.productHandle, categoryId: offer.categoryId,
                weightGrams: offer.weightGrams, price: try price(offer.price), available: offer.available),
            quantity: quantity, seenPrice: seen)
    }

    var priceChange: CartChange? {
        guard let seenPrice, seenPrice != offer.price else { return nil }
        return .priceChanged(sku: offer.sku, from: seenPrice, to: offer.price)
    }
}

extension Repositories {
    /// The refusal for SKUs that have no offer.
    func refusal(ofSKUs skus: [String], at now: Date) throws -> DomainError {
        let known = try products.notForSale(skus: skus, at: now)
        return known.isEmpty ? .unknownSKU(skus.first ?? "") : .notForSale(known)
    }

    /// The offers of units that a customer wants to buy, each with its description.
    ///
    /// - Throws: `DomainError.unknownSKU`, `.notForSale`.
    func offers(
        of units: [StockUnits], at now: Date
    ) throws -> (lines: [PricedLine], descriptions: [String: OfferDescription]) {
        let offers = try offers(skus: units.map(\.sku), at: now)
        let missing = units.map(\.sku).filter { offers[$0] == nil }
        guard missing.isEmpty else { throw try refusal(ofSKUs: missing, at: now) }
        let lines = try units.compactMap { unit in
            try offers[unit.sku].map { try PricedLine(offer: $0.offer, quantity: unit.quantity) }
        }
        return (lines, offers.mapValues(\.description))
    }

    /// The offers of SKUs at a time; unknown SKUs are missing.
    public func offers(skus: [String], at now: Date) throws -> [String: DescribedOffer] {
        try catalog.offers(skus: skus, at: now).byKey { ($0.offer.sku, $0) }
    }
}

extension Sequence {
    /// The values of the elements by key; for equal keys, the first value.
    package func byKey<Key, Value>(_ pair: (Element) throws -> (Key, Value)) rethrows -> [Key: Value] {
        Dictionary(try map(pair)) { first, _ in first }
    }
}
