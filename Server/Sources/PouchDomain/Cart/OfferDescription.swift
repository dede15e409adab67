import PouchEntities

/// How an offer is told to people; kept apart from it, since most of a cart's work needs none of it.
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

/// An offer with what it is called.
public struct DescribedOffer: Sendable, Equatable {
    public let offer: Offer
    public let description: OfferDescription

    public init(offer: Offer, description: OfferDescription) {
        self.offer = offer
        self.description = description
    }
}
