import AsyncHTTPClient
import Foundation
import PouchAsyncHTTPClient
import PouchClient
import SeededRandom
import Synchronization

/// A shopper who uses the SDK over a bad network.
///
/// A seed chooses both the actions and the fates of the requests. In the end the network is good, and the cart and
/// orders of the shop are compared with the answers that the shopper received.
struct Shopper {
    private static let actions = 5...12
    static let patience = 60

    let seed: UInt64
    let plan: ChaosPlan
    let address: URL
    let transport: any Transport
    let device: Device
    var random: SplitMix64
    let refusals = Refusals()
    var program: Program
    var pouch: Pouch
    var report = ShopperReport()
    /// The expected quantities in the cart, by SKU.
    var units: [String: Int] = [:]
    var email: String?

    /// Half of the shoppers use URLSession, half AsyncHTTPClient. Half of each group have a database.
    static func shop(
        seed: UInt64, at server: Int, harm: Int, client: HTTPClient, in folder: URL
    ) async throws -> ShopperReport {
        let plan = ChaosPlan(seed: seed, harm: harm)
        let usesURLSession = seed.isMultiple(of: 2)
        let proxy = try await ChaosProxy(server: server, plan: plan, cutsHeads: !usesURLSession, client: client)
        let serving = Task { await proxy.run() }
        defer { serving.cancel() }
        guard let address = URL(string: "http://127.0.0.1:\(proxy.port)") else { throw CancellationError() }
        let hasDatabase = (seed / 2).isMultiple(of: 2)
        var shopper = try await Shopper(
            seed: seed, plan: plan, address: address,
            transport: usesURLSession ? URLSessionTransport() : try AsyncHTTPClientTransport(),
            device: Device(file: hasDatabase ? folder.appending(path: "shopper-\(seed).sqlite") : nil))
        return await shopper.run()
    }

    private init(seed: UInt64, plan: ChaosPlan, address: URL, transport: any Transport, device: Device) async throws {
        self.seed = seed
        self.plan = plan
        self.address = address
        self.transport = transport
        self.device = device
        random = SplitMix64(seed: seed ^ 0xC0FFEE)
        (program, pouch) = try await Self.start(at: address, transport, device, refusals)
    }

    /// Ends the program and starts it again, with an access token that needs a refresh.
    mutating func restart() async throws {
        report.restarts += 1
        program.end()
        try await device.sessions.spoil(looksExpired: Bool.random(using: &random))
        (program, pouch) = try await Self.start(at: address, transport, device, refusals)
    }

    private static func start(
        at address: URL, _ transport: any Transport, _ device: Device, _ refusals: Refusals
    ) async throws -> (Program, Pouch) {
        let program = Program(transport, device.sessions)
        let pouch = Pouch(server: address, transport: program, sessionStore: program, store: try await device.store())
        refusals.follow(pouch.cart.updates())
        return (program, pouch)
    }

    private mutating func run() async -> ShopperReport {
        do {
            for _ in 0..<Int.random(in: Self.actions, using: &random) { try await act() }
            plan.calm()
            try await compare()
        } catch { violation("ended with \(error)") }
        report.fates = plan.counts
        report.refusedEdits = refusals.count
        return report
    }

    private mutating func act() async throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<20: try await browse()
        case 20..<60: try await changeCart()
        case 60..<72: try await checkOut()
        case 72..<80: try await buyNow()
        case 80..<88: try await register()
        default: try await restart()
        }
    }

    mutating func violation(_ text: String) { report.violations.append("seed \(seed): \(text)") }
}

struct ShopperReport: Sendable {
    var violations: [String] = []
    /// The IDs of the orders that the SDK returned.
    var orders: [String] = []
    /// Calls whose outcome the SDK could not determine by itself, so that they were made again.
    var openOutcomes = 0
    var restarts = 0
    /// Edits to the cart that the SDK reported as refused.
    var refusedEdits = 0
    var fates: [Fate: Int] = [:]
}

/// The edits to the cart that the SDK reported as refused.
final class Refusals: Sendable {
    private static let patience = 200
    private let edits = Mutex<[CartEdit]>([])
    private let total = Atomic(0)

    func follow(_ updates: AsyncStream<CartUpdate>) {
        Task {
            for await update in updates {
                guard case .refused(let edit, _) = update else { continue }
                total.add(1, ordering: .relaxed)
                edits.withLock { $0.append(edit) }
            }
        }
    }

    var count: Int { total.load(ordering: .relaxed) }

    /// Drops the refusals so far. Later ones belong to later edits.
    func reset() { edits.withLock { $0 = [] } }

    /// Whether an edit of each of these SKUs was refused. Waits up to a second for reports that are late.
    func covers(_ skus: Set<String>) async throws -> Bool {
        for _ in 0..<Self.patience {
            let edits = edits.withLock { $0 }
            if edits.contains(.clear) || skus.isSubset(of: edits.compactMap(\.sku)) { return true }
            try await Task.sleep(for: .milliseconds(5))
        }
        return false
    }
}

extension Shopper {
    // MARK: Browsing
    /// Reads the catalogue. A failure is harmless.
    mutating func browse() async throws {
        let pouch = pouch
        await read {
            async let products = pouch.catalog.products(ProductQuery(limit: 2))
            async let promotions = pouch.catalog.promotions()
            async let product = pouch.catalog.product(handle: "coat")
            async let figures = pouch.catalog.availability(of: ChaosShop.skus)
            let (page, _, coat, stock) = try await (products, promotions, product, figures)
            if page.items.count != 2 || coat.handle != "coat" || stock.count != ChaosShop.skus.count {
                return "received another catalogue"
            }
            return nil
        }
    }

    private mutating func read(_ work: () async throws -> String?) async {
        do {
            if let wrong = try await work() { violation(wrong) }
        } catch let error as DataError where error.isTransient {
            report.openOutcomes += 1
        } catch { violation("browsing failed: \(error)") }
    }

    // MARK: The cart
    mutating func changeCart() async throws {
        guard let sku = ChaosShop.skus.randomElement(using: &random) else { return }
        let quantity = Int.random(in: 1...5, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<55:
            try await change { cart in try await cart.add(sku: sku, quantity: quantity) }
            units[sku, default: 0] += quantity
        case 55..<80:
            try await change { cart in try await cart.set(sku: sku, quantity: quantity) }
            units[sku] = quantity
        case 80..<95:
            try await change { cart in try await cart.remove(sku: sku) }
            units[sku] = nil
        default:
            try await change { cart in try await cart.clear() }
            units = [:]
        }
    }

    /// Makes a change of the cart. The SDK queues a change that it cannot send yet. A change that throws was not
    /// accepted, for example because a guest session could not be started.
    private mutating func change(_ work: (CartManager) async throws -> Void) async throws {
        try await insist { pouch in try await work(pouch.cart) }
    }

    // MARK: Buying
    private static let home = Address(
        name: "Ann Example", line1: "1 High Street", city: "Sydney", postalCode: "2000", country: "AU")

    mutating func checkOut() async throws {
        guard !units.isEmpty else { return }
        let email = email ?? "guest@example.com"
        let cart = try await insist { pouch in try await pouch.cart.setShipping(methodId: "standard", to: Self.home) }
        guard !cart.lines.isEmpty else { return try await accountForEmptyCart() }
        let order = try await insist { pouch in
            try await pouch.checkout.pay(for: cart, with: .card(token: "tok_ok"), email: email)
        }
        try await check(order, has: units)
        units = [:]
        refusals.reset()
    }

    /// A cart can be empty because all the edits that filled it were refused, such as a guest's changed quantities that
    /// were still unsent when the guest signed in.
    private mutating func accountForEmptyCart() async throws {
        if try await !matches([:], units) { violation("the cart is empty instead of having \(units)") }
        units = [:]
        refusals.reset()
    }

    mutating func buyNow() async throws {
        guard let sku = ChaosShop.skus.randomElement(using: &random) else { return }
        let quantity = Int.random(in: 1...3, using: &random)
        let email = email ?? "guest@example.com"
        let draft = OrderDraft(lines: [.init(sku: sku, quantity: quantity)], address: Self.home, methodId: "standard")
        let total = try await insist { pouch in try await pouch.checkout.preview(draft).totals.total }
        let order = try await insist { pouch in
            try await pouch.checkout.buy(draft, for: total, with: .card(token: "tok_ok"), email: email)
        }
        try await check(order, has: [sku: quantity], isOfCart: false)
    }

    /// Repeats the work until its outcome is known, sometimes after a restart of the program.
    private mutating func insist<Value>(_ work: (Pouch) async throws -> Value) async throws -> Value {
        for _ in 0..<Self.patience {
            do {
                return try await work(pouch)
            } catch let error as DataError where error.isTransient {
                report.openOutcomes += 1
                if Int.random(in: 0..<4, using: &random) == 0 { try await restart() }
            }
        }
        throw DataError(.timedOut, log: "no outcome after \(Self.patience) tries")
    }

    private mutating func check(_ order: Order, has units: [String: Int], isOfCart: Bool = true) async throws {
        let bought = Dictionary(order.lines.map { ($0.sku, $0.quantity) }, uniquingKeysWith: +)
        let isRight = isOfCart ? try await matches(bought, units) : bought == units
        if !isRight { violation("order \(order.id) has \(bought) instead of \(units)") }
        if report.orders.contains(order.id) { violation("order \(order.id) was returned for two purchases") }
        report.orders.append(order.id)
    }

    /// Whether the quantities are as expected, except for refused edits.
    private func matches(_ found: [String: Int], _ units: [String: Int]) async throws -> Bool {
        let others = Set(ChaosShop.skus.filter { found[$0] != units[$0] })
        if others.isEmpty { return true }
        return try await refusals.covers(others)
    }

    // MARK: The account
    mutating func register() async throws {
        guard email == nil else { return }
        let address = "shopper-\(seed)@example.com"
        let password = "correct horse"
        try await insist { pouch in
            do throws(DataError) {
                try await pouch.account.signUp(name: "Ann Example", email: address, password: password)
            } catch {
                // An earlier try succeeded, and its answer was lost.
                guard error.reason == .emailTaken else { throw error }
                try await pouch.account.signIn(email: address, password: password)
            }
        }
        email = address
    }

    // MARK: The end
    /// Compares the cart and orders of the shop with the answers that the shopper received.
    mutating func compare() async throws {
        try await restart()
        let cart = try await pouch.cart.refresh()
        let found = Dictionary(cart.lines.map { ($0.sku, $0.quantity) }, uniquingKeysWith: +)
        if try await !matches(found, units) { violation("the cart has \(found) instead of \(units)") }
        var orders: [String] = []
        var cursor: String?
        repeat {
            let page = try await pouch.orders.orders(limit: 200, cursor: cursor)
            orders += page.items.map(\.id)
            cursor = page.nextCursor
        } while cursor != nil
        if Set(orders) != Set(report.orders) || orders.count != report.orders.count {
            violation("the shop has orders \(orders.sorted()), the shopper received \(report.orders.sorted())")
        }
        if let email, pouch.account.session?.profile?.email != email { violation("is signed out") }
    }
}

extension DataError {
    /// Whether the bad network or a busy server explains the error, whether or not anything was sent.
    fileprivate var isTransient: Bool {
        if mayHaveTakenEffect { return true }
        return switch reason {
        case .unreachable, .connectionLost, .untrustedServer, .noTLS, .noHTTP, .timedOut, .cancelled, .busy,
            .serverFailed, .unreadableAnswer, .stillRunning:
            true
        case .unexpected(let code): code == nil
        default: false
        }
    }
}
