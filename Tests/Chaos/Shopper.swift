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

    /// Runs one shopper to the end.
    ///
    /// Half of the shoppers use URLSession, half AsyncHTTPClient. Half of each group have a database.
    ///
    /// - Parameters:
    ///   - server: The port of the shop.
    ///   - harm: The percentage of requests that are harmed.
    ///   - client: The client with which the proxy calls the shop.
    ///   - folder: A folder for databases.
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
            device: hasDatabase ? Device(file: folder.appending(path: "shopper-\(seed).sqlite")) : Device())
        return await shopper.run()
    }

    private init(
        seed: UInt64, plan: ChaosPlan, address: URL, transport: any Transport, device: Device
    ) async throws {
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

/// The outcome of one shopper.
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
