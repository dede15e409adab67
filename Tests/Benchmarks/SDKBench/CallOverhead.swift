import AsyncHTTPClient
import Benchmarking
import NIOCore
import NIOFoundationCompat
import PouchAsyncHTTPClient
import PouchClient
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Measures calls of the SDK next to the bare transport and one pass of the decoder over the same bytes.
///
/// The two alternate, so that a slow moment of the machine affects both. The CPU time of the process varies less than
/// the rate of calls.
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
    /// The beginning of the names of the rows to measure; empty for all.
    var rows = ""

    private struct Cost {
        var callsPerSecond: Double
        var microsecondsOfCPU: Double
    }

    func show() async throws {
        say("\nA call of the SDK next to the bare transport and the decoder, \(Self.inFlight) in flight\n")
        sayRow("", 30, ["bare/s", "SDK/s", "overhead", "CPU: bare", "SDK", "overhead"], 11)
        let client = HTTPClient()
        for pair in try pairs(client) where pair.name.hasPrefix(rows) { try await show(pair) }
        try await client.shutdown()
        say(
            "Medians of \(Self.rounds) rounds of \(Self.seconds) s; overheads of the pairs, with their middle half below."
        )
    }

    private func show(_ pair: Pair) async throws {
        _ = (try await cost(of: pair.bare), try await cost(of: pair.sdk))
        var costs: [(bare: Cost, sdk: Cost)] = []
        for round in 0..<Self.rounds {
            costs.append(
                try await byTurns(round, { try await cost(of: pair.bare) }, and: { try await cost(of: pair.sdk) }))
        }
        let (bare, sdk) = (costs.map(\.bare), costs.map(\.sdk))
        let rates = [bare, sdk].map { String(Int($0.map(\.callsPerSecond).median)) }
        let times = [bare, sdk].map { "\($0.map(\.microsecondsOfCPU).median.text(0)) µs" }
        let inRate = zip(bare, sdk).map { $0.callsPerSecond / $1.callsPerSecond - 1 }
        let inTime = zip(bare, sdk).map { $1.microsecondsOfCPU / $0.microsecondsOfCPU - 1 }
        sayRow(pair.name, 30, rates + [percent(inRate.median)] + times + [percent(inTime.median)], 11)
        sayRow("", 30, ["", "", middleHalf(inRate), "", "", middleHalf(inTime)], 11)
    }

    private func percent(_ part: Double) -> String { "\((part * 100).text(1)) %" }

    private func middleHalf(_ parts: [Double]) -> String {
        let sorted = parts.sorted()
        return "\((sorted[sorted.count / 4] * 100).text(0))..\((sorted[sorted.count * 3 / 4] * 100).text(0))"
    }

    private func cost(of call: @escaping Call) async throws -> Cost {
        let start = ContinuousClock.now
        let startOfCPU = Processors.ownSeconds
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
            callsPerSecond: Double(calls) / start.elapsedSeconds,
            microsecondsOfCPU: (Processors.ownSeconds - startOfCPU) / Double(calls) * 1e6)
    }

    private static func data(of url: URL, _ client: HTTPClient) async throws -> Data {
        let response = try await client.execute(HTTPClientRequest(url: url.absoluteString), timeout: .seconds(60))
        return Data(buffer: try await response.body.collect(upTo: 64 << 20))
    }

    private func pairs(_ client: HTTPClient) throws -> [Pair] {
        let session = URLSession(configuration: .ephemeral)
        let standard = StandardTransport()
        let product = server.appending(path: "v1/products/a")
        let page = server.appending(path: "v1/products").appending(queryItems: [.init(name: "limit", value: "50")])
        let memory = try MemoryTransport()
        func pouch(_ transport: any Transport, observe: (@Sendable (NetworkReport) -> Void)? = nil) -> Pouch {
            let options = NetworkOptions(requestLimit: .fixed(Self.inFlight), observe: observe)
            return Pouch(server: server, transport: transport, network: options)
        }
        let transports: [(name: String, pouch: Pouch, bare: @Sendable (URL) async throws -> Data)] = [
            ("in memory", pouch(memory), { try await memory.send(NetworkRequest(url: $0)).collected().data }),
            (
                "standard", pouch(StandardTransport()),
                { try await standard.send(NetworkRequest(url: $0)).collected().data }
            ),
            ("URLSession", pouch(URLSessionTransport()), { try await session.data(for: URLRequest(url: $0)).0 }),
            ("AsyncHTTPClient", pouch(try AsyncHTTPClientTransport()), { try await Self.data(of: $0, client) }),
        ]
        let seen = Atomic(0)
        // Two clients that differ in the observer alone.
        let unwatched = pouch(try AsyncHTTPClientTransport())
        let watched = pouch(try AsyncHTTPClientTransport()) { seen.wrappingAdd($0.receivedBytes, ordering: .relaxed) }
        let observer = Pair(
            name: "with an observer, one product", bare: { _ = try await unwatched.catalog.product(handle: "a") },
            sdk: { _ = try await watched.catalog.product(handle: "a") })
        return [observer]
            + transports.flatMap { name, pouch, bare in
                [
                    Pair(
                        name: name + ", one product", bare: { _ = try Product(json: try await bare(product)) },
                        sdk: { _ = try await pouch.catalog.product(handle: "a") }),
                    Pair(
                        name: name + ", page of 50", bare: { _ = try ProductPage(json: try await bare(page)) },
                        sdk: { _ = try await pouch.catalog.products(ProductQuery(limit: 50)) }),
                ]
            }
    }
}

/// Answers at once, so that the difference to the bare transport is what the SDK itself takes.
private struct MemoryTransport: Transport {
    private let product: NetworkResponse
    private let page: NetworkResponse

    init() throws {
        product = Self.response(try SampleProducts.product(1).json())
        page = Self.response(try SampleProducts.page(0..<50).json())
    }

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        StreamedResponse(request.url.path().hasSuffix("/products") ? page : product)
    }

    private static func response(_ json: Data) -> NetworkResponse {
        let headers: HeaderFields = ["Content-Type": "application/json", "Content-Length": String(json.count)]
        return NetworkResponse(status: 200, headers: headers, data: json)
    }
}
