import Foundation
import Hummingbird
import NIOCore
import PouchDomain
import PouchEntities
import PouchSandbox
import PouchServer
import Testing

@Suite("A payment provider over HTTP", .timeLimit(.minutes(1)))
struct HTTPPaymentProviderTests {
    private static func request(_ key: String, _ token: String = "tok_ok", ledger: String) -> ChargeRequest {
        ChargeRequest(key: key, ledgerId: ledger, method: .card(token: token), amount: Money(1_000, .eur))
    }

    @Test func `Each card has its outcome`() async throws {
        try await RunningSandbox.serve { sandbox in
            let provider = HTTPPaymentProvider.on(port: sandbox.port)
            let ledger = try await provider.ledgerId()
            #expect(ledger == sandbox.ledger.id)
            func charge(_ token: String) async throws -> ChargeOutcome {
                try await provider.charge(Self.request(token, token, ledger: ledger))
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
            #expect(try await provider.charge(Self.request("never/seen", ledger: ledger)) == .voided)

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

    @Test func `Where nobody listens, nothing was booked`() async throws {
        let port = Box<Int>()
        try await RunningSandbox.serve { await port.set($0.port) }
        let provider = HTTPPaymentProvider.on(port: try #require(await port.value))
        await #expect(throws: PaymentProviderError.failed) { try await provider.ledgerId() }
        await #expect(throws: PaymentProviderError.failed) {
            try await provider.charge(Self.request("k", ledger: "led_1"))
        }
    }

    @Test(arguments: [
        (200, "not JSON"), (200, "{}"), (404, "<html>nobody here</html>"), (502, "Bad gateway"), (500, ""),
        (503, #"{"type":"x","title":"x","status":503,"code":"unavailable"}"#),
        (500, #"{"type":"x","title":"x","status":500,"code":"something_else"}"#),
        (302, ""),
    ])
    func `An answer that does not say what was booked is no answer`(status: Int, body: String) async throws {
        try await StubProvider.serve {
            Response(
                status: .init(code: status), headers: [.location: "/elsewhere"],
                body: .init(byteBuffer: ByteBuffer(string: body)))
        } _: { provider in
            await #expect(throws: PaymentProviderError.noAnswer) {
                try await provider.charge(Self.request("k", ledger: "led_1"))
            }
        }
    }

    @Test func `Silence is waited for so long and no longer, and is no answer`() async throws {
        let (silence, end) = AsyncStream.makeStream(of: Void.self)
        try await StubProvider.serve {
            for await _ in silence {}
            return Response(status: .ok)
        } _: { provider in
            await #expect(throws: PaymentProviderError.noAnswer) {
                try await provider.charge(Self.request("k", ledger: "led_1"))
            }
            end.finish()
        }
    }

    @Test func `Another ledger than the order's books nothing, and is asked for its name`() async throws {
        try await RunningSandbox.serve { first in
            try await RunningSandbox.serve { second in
                let port = Box<Int>()
                await port.set(first.port)
                let provider = HTTPPaymentProvider(key: nil) { () async throws(PaymentProviderError) in
                    guard let url = URL(string: "http://127.0.0.1:\(await port.value ?? 0)") else { throw .failed }
                    return url
                }
                let ledger = try await provider.ledgerId()
                await port.set(second.port)
                #expect(try await provider.ledgerId() == ledger)
                await #expect(throws: PaymentProviderError.failed) {
                    try await provider.charge(Self.request("k", ledger: ledger))
                }
                #expect(try await provider.ledgerId() == second.ledger.id)
                await #expect(throws: PaymentProviderError.failed) {
                    try await provider.settle(key: "k", ledgerId: ledger)
                }
                #expect(try await second.anyone.charges().items == [])
            }
        }
    }

    @Test func `Who is cancelled while the card is asked still learns what was booked`() async throws {
        try await RunningSandbox.serve { sandbox in
            let provider = HTTPPaymentProvider.on(port: sandbox.port)
            let ledger = try await provider.ledgerId()
            let charge = Task { try await provider.charge(Self.request("k", "tok_slow", ledger: ledger)) }
            charge.cancel()
            #expect(try await charge.value == .captured)
        }
    }
}
