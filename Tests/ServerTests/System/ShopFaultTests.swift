import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchServer
import PouchStorage
import PouchWire
import ServerTesting
import Testing

@Suite("Faults under a running shop", .timeLimit(.minutes(5)), .inShop([.stocked("cap", stock: 20)]))
struct ShopFaultTests {
    private let shop = TestShop.current

    @Test func `A clock that is set back by a day stops nothing`() async throws {
        let (customer, guest) = (try await shop.customer(), try await shop.guest())
        let before = try await customer.order()
        let lost = try await guest.buyNow(card: "tok_lost").good()
        #expect(lost.status == .pending)
        shop.clock.advance(by: -86_400)
        try await eventually { try await guest.order(id: lost.id).status == .paid }

        try await shop.anyone.call(Contract.product, path: ["handle": "cap"]).good()
        #expect(try await customer.order(id: before.id).status == .paid)
        for buyer in [customer, guest] { #expect(try await buyer.order().status == .paid) }
        try await customer.cancel(before.id).good()
        let next = try await shop.refresh(customer.refreshToken).good()
        try await shop.caller(next).profile().good()
        _ = try await shop.signIn()
        let ride = try await customer.requestRide().good()
        try await customer.cancelRide(ride.id).good()
        try await shop.stock([.stocked("hat", stock: 3)])
        try await eventually { try await shop.available("hat") == 3 }

        // A payment without an answer is settled as usual.
        let open = try await customer.buyNow(card: "tok_lost").good()
        #expect(open.status == .pending)
        shop.clock.advance(by: OrderSettlement.gracePeriod)
        try await eventually { try await customer.order(id: open.id).status == .paid }
    }

    @Test(.enabled(if: !TestDatabase.isPostgres))
    func `A database whose file is gone acknowledges nothing until it is back`() async throws {
        guard case .sqlite(let path) = shop.configuration.database else { return }
        let buyer = try await shop.customer()
        let bought = try await buyer.buyNow().good()
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")

        let refused = try await buyer.buyNow(key: "one")
        try refused.problem(.unavailable)
        #expect(refused.header(HeaderName.retryAfter) == "1")
        try await shop.anyone.send("GET", "/health/ready").problem(.unavailable)
        #expect(try await shop.anyone.send("GET", "/health/live").status == 200)

        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        try await eventually { try await shop.anyone.call(Contract.healthReady).status == 200 }
        let second = try await buyer.buyNow(key: "one").good()
        #expect(try await Set(buyer.orders().map(\.id)) == [bought.id, second.id])
        #expect(try await shop.charges() == 2)
    }
}
