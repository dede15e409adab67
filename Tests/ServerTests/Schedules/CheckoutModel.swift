import Foundation
import PouchDomain
import PouchEntities
import PouchImport
import PouchStorage
import Testing

/// A small shop for one schedule after the other: one unit, one code with one use, and one guest, who has both in the cart.
struct CheckoutModel: Sendable {
    let shop: TestShop
    let principal: Principal
    let sku: String
    let discount: Discount

    static func products(_ count: Int) -> [FeedProduct] {
        (0..<count).map { .stocked("cap-\($0)", stock: 1) }
    }

    init(_ shop: TestShop, number: Int) async throws {
        let guest = try #require(try await shop.guest().session?.id)
        let discount = Discount(
            id: shop.environment.ids.make(.discount), code: "MODEL-\(number)", rule: .amount(Money(100, .eur)),
            limit: 1, limitPerAccount: 1)
        let now = shop.clock.now
        _ = try await shop.store.write { try $0.discounts.insert(discount, at: now) }
        self.shop = shop
        principal = Principal(sessionId: guest, kind: .guest, ownerId: guest)
        sku = "cap-\(number)"
        self.discount = discount
    }

    /// Plays the scene in the order of the schedule. However it went, what was left half-way is settled within the time
    /// of the contract, and the books are right.
    ///
    /// - Parameter providerVoids: whether what a settlement asked the provider for can not come about later.
    /// - Returns: the schedule, with the turns that it took.
    /// - Throws: `Violation`.
    func play(_ scene: Scene, _ schedule: Schedule, providerVoids: Bool = true) async throws -> Schedule {
        try await reset(fillsCart: scene.checksOut || scene.beginsPaid)
        let stage = Stage(schedule, faults: scene.faults)
        let world = CheckoutWorld(self, stage: stage, providerVoids: providerVoids)
        if scene.beginsPaid { _ = try await world.play(.checkout) }
        let outcomes = Outcomes()
        for player in scene.players {
            await stage.enter(free: player.buys ? 1 : 0) {
                let result: Result<StoredAnswer?, any Error>
                do { result = .success(try await world.play(player)) } catch { result = .failure(error) }
                await outcomes.add(player, result)
            }
        }
        try await stage.play()
        let violations = try await world.settle() + world.violations(of: scene, outcomes.all)
        guard violations.isEmpty else { throw Violation(violations: violations, trace: await stage.trace) }
        return await stage.schedule
    }

    struct Violation: Error {
        let violations: [String]
        let trace: [String]
    }

    /// Brings back the beginning.
    private func reset(fillsCart: Bool) async throws {
        try await shop.store.write(.readCommitted) {
            [carts = CartService(shop.environment), principal, sku, discount] repositories in
            for record in try repositories.orders.orders(ownerId: principal.ownerId, after: nil, limit: 100) {
                try repositories.orders.delete(id: record.order.id)
            }
            try repositories.idempotency.delete(ownerId: principal.ownerId)
            try repositories.variants.setAvailable(sku: sku, 1)
            try repositories.discounts.giveBack(id: discount.id, ownerId: principal.ownerId)
            guard fillsCart else { return }
            _ = try carts.set(sku: sku, quantity: 1, of: principal, in: repositories)
            _ = try carts.setShipping(methodId: "standard", address: .sample, of: principal, in: repositories)
            _ = try carts.setDiscount(code: discount.code, of: principal, in: repositories)
        }
    }
}
