import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchImport
import PouchMail
import PouchStorage

/// One process of the shop, with the real services.
struct Server: Sendable {
    let life: ServerLife
    let environment: DomainEnvironment
    let store: PlantedStore
    let carts: CartService
    let checkout: CheckoutService
    let administration: ShopAdministration
    let imports: ImportService
    let accounts: AccountService
    let holds: ExpiredHolds
    let idempotency: Idempotency
    /// One that notes the events, those of webhooks and of mails.
    let consumers: [EventConsumer]
    let webhooks: WebhookDispatch
    let mails: MailSender
    let out: WayOut

    /// Starts a process, which reads the signing keys.
    static func start(_ world: World, _ ledger: PaymentLedger, number: Int, shop: ShopSettings) async throws -> Server {
        let life = ServerLife(world, number: number)
        let time = ServerClock(clock: world.clock, offset: Double(number * 7 - 7))
        let database = ShopDatabase(SimulatedDatabase(world: world, life: life), currency: shop.currency, time: time)
        let store = PlantedStore(store: database, world: world)
        let environment = DomainEnvironment(
            store: store, time: time, random: WorldRandom(world: world), digests: PlainDigests(), shop: shop)
        let carts = CartService(environment)
        let keyRing = try await KeyRing(environment)
        let out = WayOut(world: world, life: life)
        let webhooks = WebhookDispatch(environment)
        let issuer = SessionIssuer(environment, keyRing: keyRing, accessTokens: PlainTokens())
        return Server(
            life: life, environment: environment, store: store, carts: carts,
            checkout: CheckoutService(
                environment, carts: carts,
                payments: SimulatedPayments(world: world, life: life, ledger: ledger),
                encode: StoredAnswer.init(outcome:)),
            administration: ShopAdministration(environment),
            imports: ImportService(environment, store: store, feedThread: Scheduler.shared),
            accounts: AccountService(
                environment, issuer: issuer, links: LinkSigner(keyRing: keyRing, digests: environment.digests),
                passwords: PlainPasswords(), carts: carts),
            holds: ExpiredHolds(environment), idempotency: Idempotency(time: time),
            consumers: [
                EventConsumer("simulation", store) { events, _ in world.notes.tell(events) }, webhooks.consumer,
                EventMails(environment).consumer(sendsMail: true),
            ],
            webhooks: webhooks, mails: try .simulated(environment, keyRing: keyRing, out: out), out: out)
    }
}

/// The servers of a shop on one database.
///
/// `@unchecked Sendable`: used on the scheduler's thread only.
final class Fleet: @unchecked Sendable {
    let world: World
    let ledger: PaymentLedger
    let shop: ShopSettings
    private var servers: [Server?]

    init(_ world: World, _ ledger: PaymentLedger, count: Int, shop: ShopSettings) {
        self.world = world
        self.ledger = ledger
        self.shop = shop
        servers = Array(repeating: nil, count: count)
    }

    /// A running server; one that has crashed starts again.
    ///
    /// - Returns: nil when it cannot be reached.
    func server() async -> Server? { await server(world.below(servers.count)) }

    func server(_ number: Int) async -> Server? {
        if let server = servers[number], server.life.isRunning { return server }
        do {
            let server = try await Server.start(world, ledger, number: number, shop: shop)
            world.tell("server \(number) starts")
            servers[number] = server
            return server
        } catch { return nil }
    }

    /// Crashes one server, between any two steps of its work.
    func crashOne() { servers[world.below(servers.count)]?.life.crash() }

    func crashAll() { for server in servers { server?.life.crash() } }
}

/// Hashes without the cost; the time that a real one takes is a pause.
private struct PlainPasswords: PasswordHasher {
    func hash(_ password: String, network: String) async throws -> String {
        await Scheduler.shared.pause()
        return "plain:" + password
    }

    func verify(_ password: String, against hash: String?, network: String) async throws -> Bool {
        await Scheduler.shared.pause()
        return hash == "plain:" + password
    }
}

/// Access tokens, which the simulation does not use: it passes principals.
private struct PlainTokens: AccessTokens {
    func issue(for session: SessionRecord, expiresAt: Date) async throws -> String { session.id }

    func verify(_ token: String) async throws -> Principal { throw DomainError.unauthenticated }
}
