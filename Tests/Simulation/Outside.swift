import Logging
import PouchMail
import ServerTesting

/// The books of the payment provider, which outlive all servers. A key takes effect once.
/// `@unchecked Sendable`: used on the scheduler's thread only.
final class PaymentLedger: @unchecked Sendable {
    struct Charge {
        var outcome: ChargeOutcome
        let amount: Int64
        var refunds: [String: Int64] = [:]
        /// Amounts that a key paid again, which happens with a planted fault only.
        var paidAgain: Int64 = 0

        var refunded: Int64 { refunds.values.reduce(0, +) + paidAgain }
    }

    static let id = "led_simulated"
    static let declinedToken = "tok_declined"

    private(set) var charges: [String: Charge] = [:]

    func charge(_ request: ChargeRequest) -> ChargeOutcome {
        let outcome: ChargeOutcome =
            request.method.token == Self.declinedToken ? .declined(code: "card_declined") : .captured
        let charge = charges[request.key] ?? Charge(outcome: outcome, amount: request.amount.amount)
        charges[request.key] = charge
        return charge.outcome
    }

    /// Voids a charge that is unknown.
    func settle(_ key: String) -> ChargeOutcome {
        let charge = charges[key] ?? Charge(outcome: .voided, amount: 0)
        charges[key] = charge
        return charge.outcome
    }

    /// - Returns: whether the refund is made, now or by an earlier request.
    func refund(_ request: RefundRequest, paysAgain: Bool) -> Bool {
        guard var charge = charges[request.chargeKey], charge.outcome == .captured else { return false }
        if charge.refunds[request.key] != nil {
            if paysAgain { charge.paidAgain += request.amount.amount }
        } else {
            guard charge.refunded + request.amount.amount <= charge.amount else { return false }
            charge.refunds[request.key] = request.amount.amount
        }
        charges[request.chargeKey] = charge
        return true
    }
}

/// The provider as one server reaches it: over a network that loses, delays and doubles messages.
struct SimulatedPayments: PaymentProvider {
    let world: World
    let life: ServerLife
    let ledger: PaymentLedger

    func ledgerId() async throws(PaymentProviderError) -> String {
        if world.isProviderAway { throw .noAnswer }
        return PaymentLedger.id
    }

    func charge(_ request: ChargeRequest) async throws(PaymentProviderError) -> ChargeOutcome {
        try await send("charge \(request.key) of \(request.amount.amount)") { [world] ledger in
            world.count("charges")
            return ledger.charge(request)
        }
    }

    func settle(key: String, ledgerId: String) async throws(PaymentProviderError) -> ChargeOutcome {
        try await send("settle \(key)") { $0.settle(key) }
    }

    func refund(_ request: RefundRequest) async throws(PaymentProviderError) {
        let isMade = try await send("refund \(request.key) of \(request.amount.amount)") { [world] ledger in
            world.count("refunds")
            return ledger.refund(request, paysAgain: world.plant == .refund && world.chance(50))
        }
        guard isMade else { throw .failed }
    }

    /// - Parameter effect: runs each time that the message arrives.
    private func send<Answer: Sendable>(
        _ name: String, _ effect: @escaping @Sendable (PaymentLedger) -> Answer
    ) async throws(PaymentProviderError) -> Answer {
        await world.pause()
        guard life.isRunning else { throw .noAnswer }
        world.tell("server \(life.number) → provider: \(name)")
        if world.happens(.crashBeforeCommit) { life.crash() }
        guard life.isRunning, !world.isProviderAway, !world.happens(.lostRequest) else { throw .noAnswer }
        func arriveLater() {
            world.later { [world, ledger] in
                let answer = effect(ledger)
                world.tell("provider, late: \(name) → \(answer)")
            }
        }
        if world.happens(.lateRequest) {
            arriveLater()
            throw .noAnswer
        }
        if world.happens(.refusal) { throw .failed }
        let answer = effect(ledger)
        world.tell("provider: \(name) → \(answer)")
        if world.happens(.doubledRequest) { arriveLater() }
        if world.happens(.crashAfterCommit) { life.crash() }
        await world.pause()
        guard life.isRunning, !world.happens(.lostAnswer) else { throw .noAnswer }
        return answer
    }
}

/// The mails that have arrived at buyers, and the webhooks that have arrived at a receiver.
/// `@unchecked Sendable`: used on the scheduler's thread only.
final class Outside: @unchecked Sendable {
    private(set) var mails: Set<String> = []
    /// The ids of the events whose webhooks arrived, in the order in which each arrived first.
    private(set) var events: [String] = []
    private var known: Set<String> = []

    func receive(mail id: String) { mails.insert(id) }

    func receive(event id: String) {
        if known.insert(id).inserted { events.append(id) }
    }
}

/// The way from one server to the outside, on which messages and answers get lost.
struct WayOut: MailTransport {
    let world: World
    let life: ServerLife

    /// - Returns: whether the server learns that the message has arrived.
    private func send(_ name: String, _ arrive: () -> Void) async -> Bool {
        await world.pause()
        if world.plant == .message, world.chance(10) { return life.isRunning }
        guard life.isRunning, !world.happens(.lostRequest) else { return false }
        world.tell("server \(life.number) → outside: \(name)")
        arrive()
        if world.happens(.crashAfterCommit) { life.crash() }
        await world.pause()
        return life.isRunning && !world.happens(.lostAnswer)
    }

    func deliver(_ message: MailMessage) async throws(DeliveryError) {
        if world.happens(.refusal) { throw .deferred("simulated") }
        let isTaken = await send("the mail \(message.id)") { world.outside.receive(mail: message.id) }
        guard isTaken else { throw .unavailable("simulated") }
    }

    func finish() async {}

    func post(_ delivery: DueDelivery, at now: Date) async -> WebhookDelivery.Attempt {
        let isTaken = await send("the webhook of \(delivery.event.id)") {
            world.outside.receive(event: delivery.event.id)
        }
        return isTaken
            ? .init(at: now, milliseconds: 1, status: 204) : .init(at: now, milliseconds: 1, error: "simulated")
    }
}

extension Server {
    /// Sends the webhooks that are due, and returns whether there were any.
    func sendWebhooks() async throws -> Bool {
        let time = environment.time
        let due = try await store.read { try $0.webhooks.nextDue(except: []) }
        guard let due, due <= time.now else { return false }
        var done: [(delivery: DueDelivery, attempt: WebhookDelivery.Attempt)] = []
        for delivery in try await webhooks.lease(limits: [:], limit: 8) {
            done.append((delivery, await out.post(delivery, at: time.now)))
        }
        _ = try await webhooks.finish(done)
        return !done.isEmpty
    }
}

extension MailSender {
    /// The sender of one server, with the standard templates.
    static func simulated(_ environment: DomainEnvironment, keyRing: KeyRing, out: WayOut) throws -> MailSender {
        let settings = MailSettings(
            destination: .folder(URL(filePath: "/nonexistent")), from: try sender.get(),
            publicURL: "https://shop.example.com", templates: try templates.get())
        let signer = LinkSigner(keyRing: keyRing, digests: environment.digests)
        return MailSender(
            environment, writer: MailWriter(settings, timeZone: .gmt, token: signer.token), transport: out,
            logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() })
    }

    private struct Unreadable: Error {}
    private static let templates = Result { try MailTemplates() }
    private static let sender = Result {
        guard let sender = MailAddress("The Burrow <shop@example.com>") else { throw Unreadable() }
        return sender
    }
}
