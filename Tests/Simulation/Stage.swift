import Foundation
import PouchDomain
import PouchEntities
import PouchFeed
import PouchImport
import PouchStorage
import ServerTesting

/// The shop that every run starts with: a small catalogue with few units, codes with few uses, and an administrator.
enum Stage {
    static let currency = Currency.eur
    /// The first units of each SKU.
    private static let stock = ["cap": 6, "gloves": 2, "last": 1, "mug": 4, "scarf": 3]
    static let skus = stock.keys.sorted()
    static let codes = ["TEN", "FEW", "FREE", "SHIP"]
    static let methods = ["standard", "express", "fetched"]

    /// The settings of the run: taxes, the duration of a hold, and the strategy for carts of guests who sign in.
    static func shop(_ world: World) -> ShopSettings {
        func tariff(_ id: String, _ price: Int64) -> ShippingTariff {
            ShippingTariff(
                id: id, name: id, estimate: "soon", regions: [.init(rates: [.init(price: Money(price, currency))])])
        }
        let region = TaxRegion(territory: .everywhere, standardRate: 1900, categoryRates: ["hats": 700])
        return ShopSettings(
            currency: currency, country: "DE",
            taxes: TaxSettings(
                pricesIncludeTax: world.chance(50), rounding: world.chance(50) ? .perLine : .perOrder,
                regions: world.chance(70) ? [region] : []),
            shipping: [tariff("standard", 490), tariff("express", 990), tariff("fetched", 0)],
            cartMerge: CartMerge.Strategy.allCases.randomElement(using: &world.random) ?? .sum,
            holdMinutes: world.chance(50) ? 10 : 1)
    }

    /// The catalogue as a feed.
    static func products(stock units: (Int) -> Int) -> [FeedProduct] {
        skus.enumerated().map { index, sku in
            FeedProduct(
                line: index + 1, handle: sku, name: sku.capitalized, categoryName: index == 0 ? "Hats" : "Things",
                variants: [
                    FeedVariant(
                        sku: sku, options: [:], price: Money(Int64(777 + 450 * index), currency),
                        stock: units(stock[sku] ?? 0))
                ])
        }
    }

    /// Creates the schema and the shop in an empty database.
    ///
    /// - Returns: the administrator.
    static func prepare(_ connection: MemoryConnection) async throws -> Principal {
        let world = World(connection, seed: 0, plant: nil, isTraced: false)
        let life = ServerLife(world, number: 0)
        let database = SimulatedDatabase(world: world, life: life)
        try await Migrator().migrate(database)
        _ = try await ShopCurrency.settle(currency, in: database)
        let server = try await Server.start(world, PaymentLedger(), number: 0, shop: .standard(currency: currency))
        let (email, password) = ("merchant@example.com", "correct horse")
        let profile = try await server.accounts.create(name: "Grace", email: email, password: password, role: .admin)
        let session = try await server.accounts.signIn(email: email, password: password, network: "", guest: nil)
        _ = try await server.imports.receive(ListedFeed(products { $0 }))
        while try await server.imports.resume() {}
        let terms = [
            DiscountTerms(code: "TEN", kind: .percentage, basisPoints: 1000),
            DiscountTerms(code: "FEW", kind: .amount, amount: Money(333, currency), limit: 2, limitPerAccount: 1),
            DiscountTerms(code: "FREE", kind: .percentage, basisPoints: 10_000, limit: 1),
            DiscountTerms(code: "SHIP", kind: .freeShipping, limit: 3),
        ]
        _ = try await server.store.write { repositories in
            try terms.map { try server.administration.addDiscount($0, in: repositories) }
        }
        _ = try await server.store.write { repositories in
            try repositories.webhooks.insert(
                WebhookRecord(
                    id: "whk_receiver", url: "https://receiver.example.com/",
                    types: DeliveryBooks.webhookTypes, description: nil, status: .active, failingSince: nil,
                    secrets: [],
                    createdAt: world.clock.now))
        }
        return Principal(sessionId: session.id, kind: .admin, ownerId: profile.id)
    }
}
