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

@Suite("Payment providers", .timeLimit(.minutes(5)))
struct PaymentProviderTests {
    @Test(arguments: ProviderKind.allCases)
    func `Each card has its outcome`(kind: ProviderKind) async throws {
        try await RunningSandbox.serve { sandbox in
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
            #expect(
                try await provider.settle(key: "tok_declined", ledgerId: ledger) == .declined(code: "card_declined"))
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
    }

    @Test func `A key belongs to one charge, also between the process and HTTP`() async throws {
        try await RunningSandbox.serve { sandbox in
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
    }

    @Test(arguments: ProviderKind.allCases)
    func `A call that names another ledger fails and books nothing`(kind: ProviderKind) async throws {
        try await RunningSandbox.serve { sandbox in
            let provider = kind.provider(sandbox)
            let paid = try await provider.charge(request("paid", ledger: sandbox.ledger.id))
            #expect(paid == .captured)
            await #expect(throws: PaymentProviderError.failed) {
                try await provider.charge(request("k", ledger: "led_0"))
            }
            await #expect(throws: PaymentProviderError.failed) {
                try await provider.settle(key: "k", ledgerId: "led_0")
            }
            await #expect(throws: PaymentProviderError.failed) {
                try await provider.refund(
                    RefundRequest(key: "r", chargeKey: "paid", ledgerId: "led_0", amount: Money(1, .eur)))
            }
            #expect(try await sandbox.anyone.charges().items.map(\.key) == ["paid"])
            #expect(try await sandbox.anyone.refunds().items == [])
        }
    }

    @Test(arguments: ProviderKind.allCases, ["tok_ok", "tok_slow", "tok_lost"])
    func `A cancelled caller still gets the outcome`(kind: ProviderKind, token: String) async throws {
        try await RunningSandbox.serve { sandbox in
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
    }

    @Test func `A ledger that cannot be written is no answer`() async throws {
        try await TemporaryFolder.use { folder in
            let ledger = try await SandboxLedger(path: folder.appending(path: "ledger.sqlite").path)
            let provider = SandboxProvider(ledger: ledger, logger: .silent)
            try await ledger.close()
            await #expect(throws: PaymentProviderError.noAnswer) {
                try await provider.charge(request("k", ledger: ledger.id))
            }
        }
    }
}

@Suite("A payment provider over HTTP", .timeLimit(.minutes(5)))
struct HTTPPaymentProviderTests {
    @Test func `An unreachable service has booked nothing`() async throws {
        let port = Box<Int>()
        try await RunningSandbox.serve(configure: { $0.host = spareHost }) { await port.set($0.port) }
        let provider = HTTPPaymentProvider.on(spareHost, port: try #require(await port.value))
        await #expect(throws: PaymentProviderError.failed) { try await provider.ledgerId() }
        await #expect(throws: PaymentProviderError.failed) { try await provider.charge(request("k", ledger: "led_1")) }
    }

    @Test(arguments: [
        (200, "not JSON"), (200, "{}"), (404, "<html>nobody here</html>"), (502, "Bad gateway"), (500, ""),
        (503, #"{"type":"x","title":"x","status":503,"code":"unavailable"}"#),
        (500, #"{"type":"x","title":"x","status":500,"code":"something_else"}"#), (302, ""),
    ])
    func `A response that does not state the booking is no answer`(status: Int, body: String) async throws {
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

    @Test func `Silence is no answer after the time limit`() async throws {
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
        let (port, known) = (Box<Int>(), Box<HTTPPaymentProvider>())
        try await RunningSandbox.serve(configure: { $0.host = spareHost }) { first in
            let provider = HTTPPaymentProvider.on(spareHost, port: first.port)
            let id = try await provider.ledgerId()
            #expect(id == first.ledger.id)
            await port.set(first.port)
            await known.set(provider)
        }
        let (free, provider) = (try #require(await port.value), try #require(await known.value))
        let ledger = try await provider.ledgerId()
        // The provider may not have noticed the end of its connection to the first service, and would use it once more.
        await #expect(throws: PaymentProviderError.self) { try await provider.settle(key: "k", ledgerId: ledger) }
        try await RunningSandbox.serve(configure: { ($0.host, $0.port) = (spareHost, free) }) { second in
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
}

@Suite("A shop and its payment service", .timeLimit(.minutes(5)))
struct PaymentServiceTests {
    @Test func `While the provider is unreachable nothing is sold or held`() async throws {
        try await TemporaryFolder.use { folder in
            let file = folder.appending(path: "ledger.sqlite")
            let port = Box<Int>()
            try await RunningSandbox.serve(file, configure: { $0.host = spareHost }) { await port.set($0.port) }
            let free = try #require(await port.value)
            let address = localAddress(free, on: spareHost)
            try await TestShop.open(configure: { $0.payments = .service(address, key: "secret") }) { shop in
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
                        $0.host = spareHost
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
                // Without a connection that was open before: a request on one may have arrived before it was closed.
                try await shop.another { other in
                    try await other.caller(try #require(guest.session)).buyNow(key: "later")
                        .problem(.paymentProviderError)
                }
                #expect(try await shop.available("cap") == 9)
            }
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

    @Test func `Two shops in one folder share one ledger`() async throws {
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
    static func on(
        _ host: String = "127.0.0.1", port: Int, key: String? = nil,
        timeLimit: Duration = HTTPPaymentProvider.timeLimit
    ) -> HTTPPaymentProvider { HTTPPaymentProvider(at: localAddress(port, on: host), key: key, timeLimit: timeLimit) }
}

/// An address for ports that are free for a while: on the usual one, a server of another test would take them.
private var spareHost: String {
    #if os(Linux)
        "127.0.0.2"
    #else
        "127.0.0.1"
    #endif
}

private func localAddress(_ port: Int, on host: String = "127.0.0.1") -> PeerAddress {
    guard let address = PeerAddress("http://\(host):\(port)") else {
        preconditionFailure("no address: \(host):\(port)")
    }
    return address
}
