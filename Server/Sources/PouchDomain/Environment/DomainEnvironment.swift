import Foundation

/// What the rules need from outside themselves, given once by the composition root.
public struct DomainEnvironment: Sendable {
    public let store: any Store
    public let time: any TimeSource
    public let random: any RandomSource
    public let digests: any Digests
    public let ids: Identifier
    public let shop: ShopSettings
    /// Delivery by courier; nil for a shop that does not offer it.
    public let courier: (any DeliveryOption)?

    public init(
        store: any Store, time: any TimeSource, random: any RandomSource, digests: any Digests, shop: ShopSettings,
        courier: (any DeliveryOption)? = nil
    ) {
        self.store = store
        self.time = time
        self.random = random
        self.digests = digests
        ids = Identifier(time: time, random: random)
        self.shop = shop
        self.courier = courier
    }
}
