import Foundation
import Logging
import PouchDomain
import PouchEntities
import PouchMail

/// The mails that have arrived at buyers, and the webhooks that have arrived at a receiver.
///
/// `@unchecked Sendable`: used on the scheduler's thread only.
final class Outside: @unchecked Sendable {
    /// The ids of the mails.
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
    /// Sends the webhooks that are due.
    ///
    /// - Returns: whether there were any.
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
