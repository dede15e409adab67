import AsyncHTTPClient
import Benchmarking
import Foundation
import PouchAsyncHTTPClient
import PouchClient
import NIOCore
import NIOFoundationCompat
import PouchWire

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a call of the SDK costs beside the bare transport and one pass of the decoder over the same bytes. The two take
/// turns, so that a slower moment of the machine hits both; what each takes of this process's CPUs varies less than what
/// gets through.
struct CallOverhead {
    typealias Call = @Sendable () async throws -> Void

    struct Pair {
        let name: String
        let bare: Call
        let sdk: Call
    }

    static let inFlight = 16
    static let rounds = 41
    static let seconds = 0.5

    let server: URL

    private struct Cost {
        var callsPerSecond: Double
        var microsecondsOfCPU: Double
    }

    func show() async throws {
        say("\nA call of the SDK beside the bare transport and the decoder, \(Self.inFlight) in flight\n")
        let columns = ["bare/s", "SDK/s", "overhead", "CPU: bare", "SDK", "overhead"]
        say("".padded(30) + columns.map { $0.leftPadded(11) }.joined())
        let client = HTTPClient()
        for pair in try pairs(client) { try await show(pair) }
        try await client.shutdown()
        say(
            "Medians of \(Self.rounds) rounds of \(Self.seconds) s each; overheads of the pairs, with the middle half of them."
        )
    }

    private func show(_ pair: Pair) async throws {
        var bare: [Cost] = []
        var sdk: [Cost] = []
        _ = try await cost(of: pair.bare)
        _ = try await cost(of: pair.sdk)
        for round in 0..<Self.rounds {
            // Neither is always the first.
            if round.isMultiple(of: 2) { bare.append(try await cost(of: pair.bare)) }
            sdk.append(try await cost(of: pair.sdk))
            if !round.isMultiple(of: 2) { bare.append(try await cost(of: pair.bare)) }
        }
        let rates = [bare, sdk].map { String(Int($0.map(\.callsPerSecond).median)) }
        let times = [bare, sdk].map { String(format: "%.0f µs", $0.map(\.microsecondsOfCPU).median) }
        let inRate = zip(bare, sdk).map { $0.callsPerSecond / $1.callsPerSecond - 1 }
        let inTime = zip(bare, sdk).map { $1.microsecondsOfCPU / $0.microsecondsOfCPU - 1 }
        say(
            pair.name.padded(30)
                + (rates + [percent(inRate.median)] + times + [percent(inTime.median)]).map { $0.leftPadded(11) }
                .joined())
        say("".padded(52) + middleHalf(inRate).leftPadded(11) + "".padded(22) + middleHalf(inTime).leftPadded(11))
    }

    private func percent(_ part: Double) -> String { String(format: "%.1f %%", part * 100) }

    private func middleHalf(_ parts: [Double]) -> String {
        let sorted = parts.sorted()
        return [sorted.count / 4, sorted.count * 3 / 4].map { String(format: "%.0f", sorted[$0] * 100) }
            .joined(separator: "..")
    }

    private func cost(of call: @escaping Call) async throws -> Cost {
        let start = ContinuousClock.now
        let startOfCPU = Self.secondsOfCPU
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
        return Cost(
            callsPerSecond: Double(calls) / ((ContinuousClock.now - start) / .seconds(1)),
            microsecondsOfCPU: (Self.secondsOfCPU - startOfCPU) / Double(calls) * 1e6)
    }

    /// Of this process, in all threads, in the system too.
    private static var secondsOfCPU: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func data(of url: URL, _ client: HTTPClient) async throws -> Data {
        let response = try await client.execute(HTTPClientRequest(url: url.absoluteString), timeout: .seconds(60))
        return Data(buffer: try await response.body.collect(upTo: 64 << 20))
    }

    private func pairs(_ client: HTTPClient) throws -> [Pair] {
        let session = URLSession(configuration: .ephemeral)
        let overAsyncHTTPClient = Pouch(
            server: server, transport: try AsyncHTTPClientTransport(), requestLimit: Self.inFlight)
        let overURLSession = Pouch(server: server, requestLimit: Self.inFlight)
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
                name: "URLSession, page of 50",
                bare: {
                    let (data, _) = try await session.data(for: URLRequest(url: page))
                    _ = try WireJSON.decode(ProductPage.self, from: data)
                },
                sdk: { _ = try await overURLSession.catalog.products(ProductQuery(limit: 50)) }),
            Pair(
                name: "AsyncHTTPClient, one product",
                bare: {
                    let data = try await Self.data(of: product, client)
                    _ = try WireJSON.decode(Product.self, from: data)
                },
                sdk: { _ = try await overAsyncHTTPClient.catalog.product(handle: "a") }),
            Pair(
                name: "AsyncHTTPClient, page of 50",
                bare: {
                    let data = try await Self.data(of: page, client)
                    _ = try WireJSON.decode(ProductPage.self, from: data)
                },
                sdk: { _ = try await overAsyncHTTPClient.catalog.products(ProductQuery(limit: 50)) }),
        ]
    }
}
