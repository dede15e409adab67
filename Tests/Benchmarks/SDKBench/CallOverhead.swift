import AsyncHTTPClient
import Benchmarking
import Foundation
import PouchAsyncHTTPClient
import PouchClient
import PouchWire

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a call of the SDK costs beside the bare transport and one pass of the decoder over the same bytes. The two take
/// turns, so that a slower moment of the machine hits both.
struct CallOverhead {
    typealias Call = @Sendable () async throws -> Void

    struct Pair {
        let name: String
        let bare: Call
        let sdk: Call
    }

    static let inFlight = 16
    static let rounds = 9
    static let seconds = 2.0

    let server: URL

    func show() async throws {
        say("\nA call of the SDK beside the bare transport and the decoder, \(Self.inFlight) in flight\n")
        say("".padded(34) + ["bare/s", "SDK/s", "overhead", "(lowest", "highest)"].map { $0.leftPadded(11) }.joined())
        let client = HTTPClient()
        for pair in try pairs(client) { try await show(pair) }
        try await client.shutdown()
    }

    private func show(_ pair: Pair) async throws {
        var bare: [Double] = []
        var sdk: [Double] = []
        _ = try await rate(of: pair.bare)
        _ = try await rate(of: pair.sdk)
        for round in 0..<Self.rounds {
            // Neither is always the first.
            if round.isMultiple(of: 2) { bare.append(try await rate(of: pair.bare)) }
            sdk.append(try await rate(of: pair.sdk))
            if !round.isMultiple(of: 2) { bare.append(try await rate(of: pair.bare)) }
        }
        let overheads = zip(bare, sdk).map { ($0 / $1 - 1) * 100 }.sorted()
        let figures =
            [bare.median, sdk.median].map { String(Int($0)) }
            + [overheads.median, overheads.first ?? 0, overheads.last ?? 0].map { String(format: "%.1f %%", $0) }
        say(pair.name.padded(34) + figures.map { $0.leftPadded(11) }.joined())
    }

    /// - Returns: calls per second.
    private func rate(of call: @escaping Call) async throws -> Double {
        let start = ContinuousClock.now
        let end = start + .seconds(Self.seconds)
        let calls = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<Self.inFlight {
                group.addTask {
                    var calls = 0
                    while ContinuousClock.now < end {
                        try await call()
                        calls += 1
                    }
                    return calls
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(calls) / ((ContinuousClock.now - start) / .seconds(1))
    }

    private func pairs(_ client: HTTPClient) throws -> [Pair] {
        let session = URLSession(configuration: .ephemeral)
        let overURLSession = PouchClient(server: server)
        let product = server.appending(path: "v1/products/a")
        let page = server.appending(path: "v1/products").appending(queryItems: [.init(name: "limit", value: "50")])
        return [
            Pair(
                name: "URLSession, one product",
                bare: {
                    let (data, _) = try await session.data(for: URLRequest(url: product))
                    _ = try WireJSON.decode(Product.self, from: data)
                },
                sdk: { _ = try await overURLSession.catalog.product(handle: "a") }),
            Pair(
                name: "URLSession, page of 50 products",
                bare: {
                    let (data, _) = try await session.data(for: URLRequest(url: page))
                    _ = try WireJSON.decode(ProductPage.self, from: data)
                },
                sdk: { _ = try await overURLSession.catalog.products(ProductQuery(limit: 50)) }),
        ]
    }
}
