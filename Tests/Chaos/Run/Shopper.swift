import AsyncHTTPClient
import Foundation
import PouchAsyncHTTPClient
import PouchClient
import SeededRandom

/// Somebody who shops through the SDK over a network that a seed makes bad: what they do is chosen by the seed too. In
/// the end the network is good, and what the shop has is compared with what they were told.
struct Shopper {
    private static let actions = 5...12
    static let patience = 60

    let seed: UInt64
    let plan: ChaosPlan
    let address: URL
    let transport: any Transport
    let device: Device
    var random: SplitMix64
    let told = Told()
    var program: Program
    var pouch: Pouch
    var report = ShopperReport()
    /// What the cart should hold, by SKU.
    var units: [String: Int] = [:]
    var email: String?

    /// Every second shopper uses the one transport, the others the other; of each, every second has a database.
    ///
    /// - Parameters:
    ///   - folder: where databases are put.
    ///   - harm: how many of a hundred requests do not simply arrive.
    ///   - client: the proxy's own.
    static func shop(
        seed: UInt64, at server: Int, harm: Int, client: HTTPClient, in folder: URL
    ) async throws -> ShopperReport {
        let plan = ChaosPlan(seed: seed, harm: harm)
        let usesURLSession = seed.isMultiple(of: 2)
        let proxy = try await ChaosProxy(server: server, plan: plan, cutsHeads: !usesURLSession, client: client)
        let serving = Task { try await proxy.run() }
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
        (program, pouch) = try await Self.start(at: address, transport, device, told)
    }

    /// The program is ended and started again, with a token that has to be renewed.
    mutating func restart() async throws {
        report.restarts += 1
        program.end()
        try await device.sessions.spoil(looksExpired: Bool.random(using: &random))
        (program, pouch) = try await Self.start(at: address, transport, device, told)
    }

    private static func start(
        at address: URL, _ transport: any Transport, _ device: Device, _ told: Told
    ) async throws -> (Program, Pouch) {
        let program = Program(transport, device.sessions)
        let pouch = Pouch(
            server: address, transport: program, sessionStore: program, store: try await device.store())
        told.follow(pouch.cart.updates())
        return (program, pouch)
    }

    private mutating func run() async -> ShopperReport {
        do {
            for _ in 0..<Int.random(in: Self.actions, using: &random) { try await act() }
            plan.calm()
            try await compare()
        } catch {
            violation("ended with \(error)")
        }
        report.fates = plan.counts
        report.told = told.count
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

    mutating func violation(_ text: String) {
        report.violations.append("seed \(seed): \(text)")
    }
}
