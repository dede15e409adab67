import ServerTesting
import Testing

/// A guest in a shop with a scripted payment provider. Orders are settled only when the test asks for it.
struct SettlementDesk: Sendable {
    let shop: TestShop
    let provider: ScriptedPayments
    let guest: Caller
    let principal: Principal

    init(_ shop: TestShop, provider: ScriptedPayments = ScriptedPayments()) async throws {
        (self.shop, self.provider) = (shop, provider)
        guest = try await shop.guest()
        let id = try #require(guest.session?.id)
        principal = Principal(sessionId: id, kind: .guest, ownerId: id)
    }

    fileprivate static let settlesNothing: @Sendable (inout ServerConfiguration) -> Void = {
        $0.settlementInterval = .seconds(3600)
    }

    var checkout: CheckoutService { checkout(with: provider) }
    var settlement: OrderSettlement { settlement(with: provider) }

    func checkout(with provider: any PaymentProvider) -> CheckoutService {
        CheckoutService(
            shop.environment, carts: shop.services.carts, payments: provider, encode: StoredAnswer.init(outcome:))
    }

    func settlement(with provider: any PaymentProvider) -> OrderSettlement {
        OrderSettlement(
            shop.environment, carts: shop.services.carts, payments: provider, encode: StoredAnswer.init(outcome:))
    }

    /// Pays for two caps in the guest's cart.
    func pay(key: String = "k") async throws -> Order {
        try await guest.fillCart("cap", 2)
        let answered = try await checkout.checkout(principal, terms: terms(2490), ifMatch: nil, request: request(key))
        return try Order(json: answered.body)
    }

    /// Pays for one unit without the cart. `total` includes 4.90 for standard shipping.
    @discardableResult
    func buy(_ sku: String, total: Int64, key: String, with checkout: CheckoutService? = nil) async throws -> Order {
        let purchase = DirectPurchase(lines: [(sku, 1)], methodId: "standard", address: .sample, discount: nil)
        let answered = try await (checkout ?? self.checkout).buyNow(
            principal, purchase: purchase, terms: terms(total), request: request(key))
        return try Order(json: answered.body)
    }

    func cancel(_ order: Order, with checkout: CheckoutService? = nil) async throws -> Order {
        let answered = try await (checkout ?? self.checkout).cancel(
            orderId: order.id, of: principal, ifMatch: nil, request: nil)
        return try Order(json: answered.body)
    }

    /// The units on hand, and how many of them are held.
    func stock(_ sku: String) async throws -> [Int] { try await shop.units(sku) }

    /// The number of settled orders, and the ids of the reported ones.
    struct Round: Equatable {
        let settled: Int
        let reported: [String]
    }

    /// Runs one settlement.
    func settle(with provider: ScriptedPayments? = nil) async throws -> Round {
        var reported: [String] = []
        let settled = try await settlement(with: provider ?? self.provider).settleAll { id, _ in reported.append(id) }
        return Round(settled: settled, reported: reported)
    }

    private func terms(_ total: Int64) -> PaymentTerms {
        PaymentTerms(method: .card(token: "any"), expectedTotal: Money(total, .eur), email: "guest@example.com")
    }

    private func request(_ key: String) -> IdempotencyRecord.Request {
        .init(ownerId: principal.ownerId, key: key, fingerprint: Data([1]))
    }
}

extension Trait where Self == InShop {
    /// A shop for each test, for a `SettlementDesk`.
    static func atDesk(_ products: [FeedProduct] = .usual) -> Self {
        .inShop(products, configure: SettlementDesk.settlesNothing)
    }
}

/// A payment provider with scripted outcomes.
actor ScriptedPayments: PaymentProvider {
    private let ledger: String
    private var charge: Result<ChargeOutcome, PaymentProviderError> = .success(.captured)
    private var settle: Result<ChargeOutcome, PaymentProviderError> = .success(.captured)
    private var refund: Result<Void, PaymentProviderError> = .success(())
    private var isAway = false
    private var delays = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(ledgerId: String = "scripted") { ledger = ledgerId }

    /// Sets the outcomes that are named; the others stay.
    func script(
        charge: Result<ChargeOutcome, PaymentProviderError>? = nil,
        settle: Result<ChargeOutcome, PaymentProviderError>? = nil,
        refund: Result<Void, PaymentProviderError>? = nil, isAway: Bool? = nil
    ) {
        self.charge = charge ?? self.charge
        self.settle = settle ?? self.settle
        self.refund = refund ?? self.refund
        self.isAway = isAway ?? self.isAway
    }

    /// Delays the first answers about charges until they are released.
    func delay(_ count: Int) { delays = count }

    func release() {
        for answer in waiting { answer.resume() }
        (waiting, delays) = ([], 0)
    }

    func ledgerId() throws(PaymentProviderError) -> String {
        guard !isAway else { throw .noAnswer }
        return ledger
    }
    func charge(_ request: ChargeRequest) async throws(PaymentProviderError) -> ChargeOutcome { try charge.get() }
    func settle(key: String, ledgerId: String) async throws(PaymentProviderError) -> ChargeOutcome {
        guard ledgerId == ledger else { throw .failed }
        if waiting.count < delays { await withCheckedContinuation { waiting.append($0) } }
        return try settle.get()
    }
    func refund(_ request: RefundRequest) async throws(PaymentProviderError) {
        guard request.ledgerId == ledger else { throw .failed }
        try refund.get()
    }
}

/// A provider during whose charges or refunds something else happens.
struct InterruptedPayments: PaymentProvider {
    let provider: ScriptedPayments
    var duringCharge: @Sendable () async -> Void = {}
    var duringRefund: @Sendable () async -> Void = {}

    func ledgerId() async throws(PaymentProviderError) -> String { try await provider.ledgerId() }
    func charge(_ request: ChargeRequest) async throws(PaymentProviderError) -> ChargeOutcome {
        await duringCharge()
        return try await provider.charge(request)
    }
    func settle(key: String, ledgerId: String) async throws(PaymentProviderError) -> ChargeOutcome {
        try await provider.settle(key: key, ledgerId: ledgerId)
    }
    func refund(_ request: RefundRequest) async throws(PaymentProviderError) {
        await duringRefund()
        try await provider.refund(request)
    }
}
