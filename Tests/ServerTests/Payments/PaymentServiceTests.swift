import Foundation
import PouchContract
import PouchEntities
import PouchSandbox
import PouchServer
import PouchWire
import Testing

@Suite("A shop and its payment service", .timeLimit(.minutes(1)))
struct PaymentServiceTests {
    @Test func `While the provider is away nothing is sold or held, and afterwards it goes on`() async throws {
        try await TemporaryFolder.use { folder in
            let file = folder.appending(path: "ledger.sqlite")
            let port = Box<Int>()
            try await RunningSandbox.serve(file) { await port.set($0.port) }
            let free = try #require(await port.value)
            let url = try #require(URL(string: "http://127.0.0.1:\(free)"))
            try await TestShop.open(configure: { $0.payments = .service(url, key: "secret") }) { shop in
                let guest = try await shop.guest()
                func refused() async throws {
                    try await guest.buyNow(key: "k").problem(.paymentProviderError)
                    #expect(try await shop.available("cap") == 10)
                    #expect(try await guest.call(Contract.orders).good().items == [])
                }
                try await refused()
                try await RunningSandbox.serve(
                    file,
                    configure: {
                        $0.port = free
                        $0.key = "secret"
                    }
                ) { sandbox in
                    let order = try await guest.buyNow(key: "k").good()
                    #expect(order.status == .paid)
                    let right = [HeaderName.authorization: "Bearer secret"]
                    let charge: SandboxCharge = try await sandbox.anyone
                        .send("GET", "/v1/charges/" + order.payment.id, headers: right).sandbox(200)
                    #expect(charge.status == .captured && charge.captured == order.totals.total.amount)
                }
                try await guest.buyNow(key: "later").problem(.paymentProviderError)
                #expect(try await shop.available("cap") == 9)
            }
        }
    }

    @Test func `A wrong key sells nothing`() async throws {
        try await RunningSandbox.serve(configure: { $0.key = "secret" }) { sandbox in
            let url = try #require(URL(string: "http://127.0.0.1:\(sandbox.port)"))
            try await TestShop.open(configure: { $0.payments = .service(url, key: "another") }) { shop in
                try await shop.guest().buyNow().problem(.paymentProviderError)
                #expect(try await shop.available("cap") == 10)
            }
        }
    }

    @Test func `Two shops in one folder book in one ledger`() async throws {
        try await TestShop.open { shop in
            try await shop.another { other in
                let guests = [try await shop.guest(), try await other.guest()]
                let orders = try await parallel(10) { try await guests[$0 % 2].buyNow().good() }
                #expect(orders.allSatisfy { $0.status == .paid })
                #expect(try await shop.charges() == 10)
                let order = try #require(orders.first)
                try await guests[0].call(Contract.cancelOrder, path: ["id": order.id]).good()
                #expect(try await shop.available("cap") == 1)
            }
        }
    }
}
