import Hummingbird
import HummingbirdTesting
import Loopback
import NIOCore
@testable import PouchDomain
import PouchSandbox
import ServerTesting
import Testing

/// The providers that a shop can use for one ledger.
enum ProviderKind: CaseIterable {
    case inProcess
    case overHTTP

    func provider(_ sandbox: RunningSandbox) -> any PaymentProvider {
        switch self {
        case .inProcess: SandboxProvider(ledger: sandbox.ledger, timing: RunningSandbox.timing, logger: .silent)
        case .overHTTP: HTTPPaymentProvider.on(port: sandbox.port)
        }
    }
}

private func request(_ key: String, _ token: String = "tok_ok", ledger: String) -> ChargeRequest {
    ChargeRequest(key: key, ledgerId: ledger, method: .card(token: token), amount: Money(1_000, .eur))
}

@Suite("Payment providers", .timeLimit(.minutes(5)), .withSandbox)
struct PaymentProviderTests {
    private let sandbox = RunningSandbox.current

    @Test(arguments: ProviderKind.allCases)
    func `Each card has its outcome`(kind: ProviderKind) async throws {
        let provider = kind.provider(sandbox)
        let ledger = try await provider.ledgerId()
        #expect(ledger == sandbox.ledger.id)
        func charge(_ token: String) async throws -> ChargeOutcome {
            try await provider.charge(request(token, token, ledger: ledger))
        }
        #expect(try await charge("tok_ok") == .captured)
        #expect(try await charge("tok_slow") == .captured)
        #expect(try await charge("tok_declined") == .declined(code: "card_declined"))
        await #expect(throws: PaymentProviderError.failed) { try await charge("tok_error") }
        await #expect(throws: PaymentProviderError.noAnswer) { try await charge("tok_lost") }
        #expect(try await provider.settle(key: "tok_lost", ledgerId: ledger) == .captured)
        #expect(try await provider.settle(key: "tok_declined", ledgerId: ledger) == .declined(code: "card_declined"))
        #expect(try await provider.settle(key: "never/seen", ledgerId: ledger) == .voided)
        #expect(try await provider.charge(request("never/seen", ledger: ledger)) == .voided)
        func refund(_ key: String, _ amount: Int64) async throws {
            try await provider.refund(
                RefundRequest(key: key, chargeKey: "tok_ok", ledgerId: ledger, amount: Money(amount, .eur)))
        }
        try await refund("r", 600)
        try await refund("r", 600)
        await #expect(throws: PaymentProviderError.failed) { try await refund("r2", 401) }
        #expect(try await sandbox.anyone.charge(booked: "tok_ok").refunded == 600)
    }

    @Test func `A key belongs to one charge, in the process and over HTTP`() async throws {
        let (here, there) = (ProviderKind.inProcess.provider(sandbox), ProviderKind.overHTTP.provider(sandbox))
        let ledger = try await here.ledgerId()
        #expect(try await here.charge(request("k", ledger: ledger)) == .captured)
        #expect(try await there.charge(request("k", ledger: ledger)) == .captured)
        for provider in [here, there] {
            await #expect(throws: PaymentProviderError.failed) {
                try await provider.charge(request("k", "tok_declined", ledger: ledger))
            }
        }
        #expect(try await sandbox.anyone.charges().items.map(\.captured) == [1_000])
    }

    @Test(arguments: ProviderKind.allCases)
    func `A call that names another ledger fails and books nothing`(kind: ProviderKind) async throws {
        let provider = kind.provider(sandbox)
        let paid = try await provider.charge(request("paid", ledger: sandbox.ledger.id))
        #expect(paid == .captured)
        await #expect(throws: PaymentProviderError.failed) { try await provider.charge(request("k", ledger: "led_0")) }
        await #expect(throws: PaymentProviderError.failed) { try await provider.settle(key: "k", ledgerId: "led_0") }
        await #expect(throws: PaymentProviderError.failed) {
            try await provider.refund(
                RefundRequest(key: "r", chargeKey: "paid", ledgerId: "led_0", amount: Money(1, .eur)))
        }
        #expect(try await sandbox.anyone.charges().items.map(\.key) == ["paid"])
        #expect(try await sandbox.anyone.refunds().items == [])
    }

    @Test(arguments: ProviderKind.allCases, ["tok_ok", "tok_slow", "tok_lost"])
    func `A cancelled caller still gets the outcome`(kind: ProviderKind, token: String) async throws {
        let provider = kind.provider(sandbox)
        let ledger = try await provider.ledgerId()
        let charge = Task { try await provider.charge(request("k", token, ledger: ledger)) }
        charge.cancel()
        if token == "tok_lost" {
            await #expect(throws: PaymentProviderError.noAnswer) { try await charge.value }
        } else {
            #expect(try await charge.value == .captured)
        }
        #expect(try await sandbox.anyone.charge(booked: "k").status == .captured)
    }

    @Test(.inFolder) func `A charge has no answer while the ledger cannot be written`() async throws {
        let ledger = try await SandboxLedger(path: TemporaryFolder.current.appending(path: "ledger.sqlite").path)
        let provider = SandboxProvider(ledger: ledger, logger: .silent)
        try await ledger.close()
        await #expect(throws: PaymentProviderError.noAnswer) {
            try await provider.charge(request("k", ledger: ledger.id))
        }
    }
}

@Suite("A payment service over HTTP, and a shop with one", .timeLimit(.minutes(5)))
struct PaymentServiceTests {
    @Test func `A charge at an unreachable service fails with nothing booked`() async throws {
        let provider = HTTPPaymentProvider.on(port: try RawConnection.freePort())
        await #expect(throws: PaymentProviderError.failed) { try await provider.ledgerId() }
        await #expect(throws: PaymentProviderError.failed) { try await provider.charge(request("k", ledger: "led_1")) }
    }

    @Test(arguments: [
        (200, "not JSON"), (200, "{}"), (404, "<html>nobody here</html>"), (502, "Bad gateway"), (500, ""),
        (503, #"{"type":"x","title":"x","status":503,"code":"unavailable"}"#),
        (500, #"{"type":"x","title":"x","status":500,"code":"something_else"}"#), (302, ""),
    ])
    func `A response that does not state the booking counts as no answer`(status: Int, body: String) async throws {
        try await StubProvider.serve {
            Response(
                status: .init(code: status), headers: [.location: "/elsewhere"],
                body: .init(byteBuffer: ByteBuffer(string: body)))
        } _: { provider in
            await #expect(throws: PaymentProviderError.noAnswer) {
                try await provider.charge(request("k", ledger: "led_1"))
            }
        }
    }

    @Test func `A service that does not respond within the time limit gives no answer`() async throws {
        let (silence, end) = AsyncStream.makeStream(of: Void.self)
        try await StubProvider.serve(timeLimit: .milliseconds(200)) {
            for await _ in silence {}
            return Response(status: .ok)
        } _: { provider in
            await #expect(throws: PaymentProviderError.noAnswer) {
                try await provider.charge(request("k", ledger: "led_1"))
            }
            end.finish()
        }
    }

    @Test func `A service with another ledger books nothing and is asked for its id`() async throws {
        let port = try RawConnection.freePort()
        let provider = HTTPPaymentProvider.on(port: port)
        try await RunningSandbox.serve(configure: { $0.port = port }) { first in
            let ledger = try await provider.ledgerId()
            #expect(ledger == first.ledger.id)
        }
        let ledger = try await provider.ledgerId()
        // The provider may not have noticed the end of its connection to the first service, and would use it once more.
        await #expect(throws: PaymentProviderError.self) { try await provider.settle(key: "k", ledgerId: ledger) }
        try await RunningSandbox.serve(configure: { $0.port = port }) { second in
            let remembered = try await provider.ledgerId()
            #expect(remembered == ledger && second.ledger.id != ledger)
            await #expect(throws: PaymentProviderError.failed) {
                try await provider.charge(request("k", ledger: ledger))
            }
            #expect(try await provider.ledgerId() == second.ledger.id)
            await #expect(throws: PaymentProviderError.failed) { try await provider.settle(key: "k", ledgerId: ledger) }
            #expect(try await second.anyone.charges().items == [])
        }
    }

    @Test func `While the provider is unreachable nothing is sold or held`() async throws {
        let port = try RawConnection.freePort()
        try await TestShop.open(configure: { $0.payments = .service(localAddress(port), key: "secret") }) { shop in
            let guest = try await shop.guest()
            try await guest.buyNow(key: "k").problem(.paymentProviderError)
            #expect(try await shop.available("cap") == 10)
            #expect(try await guest.orders() == [])
            try await RunningSandbox.serve(configure: { ($0.port, $0.key) = (port, "secret") }) { sandbox in
                let order = try await guest.buyNow(key: "k").good()
                #expect(order.status == .paid)
                let right = [HeaderName.authorization: "Bearer secret"]
                let charge: SandboxCharge = try await sandbox.anyone
                    .send("GET", "/v1/charges/" + order.payment.id, headers: right).sandbox(200)
                #expect(charge.status == .captured && charge.captured == order.totals.total.amount)
            }
            // Without a connection that was open before: a request on one may have arrived before it was closed.
            try await shop.another { other in
                try await other.caller(try #require(guest.session)).buyNow(key: "later").problem(.paymentProviderError)
            }
            #expect(try await shop.available("cap") == 9)
        }
    }

    @Test func `A wrong payment key places no order`() async throws {
        try await RunningSandbox.serve(configure: { $0.key = "secret" }) { sandbox in
            let address = localAddress(sandbox.port)
            try await TestShop.open(configure: { $0.payments = .service(address, key: "another") }) { shop in
                try await shop.guest().buyNow().problem(.paymentProviderError)
                #expect(try await shop.available("cap") == 10)
            }
        }
    }

    @Test func `A response status below 100 is an error and does not crash the server`() async throws {
        let service = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n")
        }
        let provider = HTTPPaymentProvider.on(port: service.port)
        await #expect(throws: PaymentProviderError.self) { try await provider.ledgerId() }
    }

    @Test(.inShop()) func `Two shops in one folder share one ledger`() async throws {
        let shop = TestShop.current
        try await shop.another { other in
            let guests = [try await shop.guest(), try await other.guest()]
            let orders = try await parallel(10) { try await guests[$0 % 2].buyNow().good() }
            #expect(orders.allSatisfy { $0.status == .paid })
            #expect(try await shop.charges() == 10)
            try await guests[0].cancel(orders[0].id).good()
            #expect(try await shop.available("cap") == 1)
        }
    }
}

/// A service on a local port with one answer to all requests.
enum StubProvider {
    /// - Parameter timeLimit: of the provider that the body gets.
    static func serve(
        timeLimit: Duration = HTTPPaymentProvider.timeLimit,
        _ answer: @escaping @Sendable () async throws -> Response,
        _ body: @escaping @Sendable (HTTPPaymentProvider) async throws -> Void
    ) async throws {
        let router = Router()
        router.on("**", method: .post) { _, _ in try await answer() }
        router.on("**", method: .get) { _, _ in try await answer() }
        try await Application(router: router, logger: .silent).test(.live) { client in
            try await body(.on(port: try #require(client.port), timeLimit: timeLimit))
        }
    }
}

extension HTTPPaymentProvider {
    static func on(port: Int, timeLimit: Duration = HTTPPaymentProvider.timeLimit) -> HTTPPaymentProvider {
        HTTPPaymentProvider(at: localAddress(port), key: nil, timeLimit: timeLimit)
    }
}

private func localAddress(_ port: Int) -> PeerAddress {
    guard let address = PeerAddress("http://127.0.0.1:\(port)") else { preconditionFailure("no address: \(port)") }
    return address
}
