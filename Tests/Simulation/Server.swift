import PouchMail
import ServerTesting

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

    /// A running server; one that has crashed starts again. Returns nil when it cannot be reached.
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

/// The shop that every run starts with: a small catalogue with few units, codes with few uses, and an administrator.
enum Stage {
    static let currency = Currency.eur
    /// The first units of each SKU.
    private static let stock = ["cap": 6, "gloves": 2, "last": 1, "mug": 4, "scarf": 3]
    static let skus = stock.keys.sorted()
    static let codes = ["TEN", "FEW", "FREE", "SHIP"]
    static let methods = ["standard", "express", "fetched"]

    /// The settings of the run: taxes, the duration of a hold, and the strategy for carts of guests who sign in.
    static func shop(_ world: World) -> ShopSettings {
        func tariff(_ id: String, _ price: Int64) -> ShippingTariff {
            ShippingTariff(
                id: id, name: id, estimate: "soon", regions: [.init(rates: [.init(price: Money(price, currency))])])
        }
        let region = TaxRegion(territory: .everywhere, standardRate: 1900, categoryRates: ["hats": 700])
        return ShopSettings(
            currency: currency, country: "DE",
            taxes: TaxSettings(
                pricesIncludeTax: world.chance(50), rounding: world.chance(50) ? .perLine : .perOrder,
                regions: world.chance(70) ? [region] : []),
            shipping: [tariff("standard", 490), tariff("express", 990), tariff("fetched", 0)],
            cartMerge: CartMerge.Strategy.allCases.randomElement(using: &world.random) ?? .sum,
            holdMinutes: world.chance(50) ? 10 : 1)
    }

    static func products(stock units: (Int) -> Int) -> [FeedProduct] {
        skus.enumerated().map { index, sku in
            FeedProduct(
                line: index + 1, handle: sku, name: sku.capitalized, categoryName: index == 0 ? "Hats" : "Things",
                variants: [
                    FeedVariant(
                        sku: sku, options: [:], price: Money(Int64(777 + 450 * index), currency),
                        stock: units(stock[sku] ?? 0))
                ])
        }
    }

    /// Creates the schema and the shop in an empty database, and returns the administrator.
    static func prepare(_ connection: MemoryConnection) async throws -> Principal {
        let world = World(connection, seed: 0, plant: nil, isTraced: false)
        let life = ServerLife(world, number: 0)
        let database = SimulatedDatabase(world: world, life: life)
        try await Migrator().migrate(database)
        _ = try await ShopCurrency.settle(currency, in: database)
        let server = try await Server.start(world, PaymentLedger(), number: 0, shop: .standard(currency: currency))
        let (email, password) = ("merchant@example.com", "correct horse")
        let profile = try await server.accounts.create(name: "Grace", email: email, password: password, role: .admin)
        let session = try await server.accounts.signIn(email: email, password: password, network: "", guest: nil)
        _ = try await server.imports.receive(ListedFeed(products { $0 }))
        while try await server.imports.resume() {}
        let terms = [
            DiscountTerms(code: "TEN", kind: .percentage, basisPoints: 1000),
            DiscountTerms(code: "FEW", kind: .amount, amount: Money(333, currency), limit: 2, limitPerAccount: 1),
            DiscountTerms(code: "FREE", kind: .percentage, basisPoints: 10_000, limit: 1),
            DiscountTerms(code: "SHIP", kind: .freeShipping, limit: 3),
        ]
        _ = try await server.store.write { repositories in
            try terms.map { try server.administration.addDiscount($0, in: repositories) }
        }
        _ = try await server.store.write { repositories in
            try repositories.webhooks.insert(
                WebhookRecord(
                    id: "whk_receiver", url: "https://receiver.example.com/",
                    types: DeliveryBooks.webhookTypes, description: nil, status: .active, failingSince: nil,
                    secrets: [],
                    createdAt: world.clock.now))
        }
        return Principal(sessionId: session.id, kind: .admin, ownerId: profile.id)
    }
}
