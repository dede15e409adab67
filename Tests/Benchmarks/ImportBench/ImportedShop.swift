import NIOHTTP1
import ShopBenching

/// A new shop with one import.
struct ImportedShop {
    /// The figures of one import. Times other than `seconds` are milliseconds; those of cart writes ascend.
    struct Outcome {
        var feedMegabytes = 0.0
        var seconds = 0.0
        /// The peak during the import, and the peak after a customer has searched the catalogue.
        var peakMegabytes = 0
        var readMegabytes = 0
        var publishing = 0.0
        var longestWrite = 0.0
        var before: [Double] = []
        var during: [Double] = []
        var refusals = 0
    }

    static func importing(_ variants: Int) async throws -> Outcome {
        try await withNewDatabase { database, folder in
            let feed = Data(cardiganFeed(handle: "cardigan", sku: "cardigan", variants: variants).utf8)
            let found = try await ServerProcess.running(
                Program.own, ["serve", database.text, folder.path], endsGracefully: true
            ) {
                try await ImportedShop(client: APIClient($0.url.absoluteString), memory: $0.memory)
                    .measure(feed, variants)
            }
            var outcome = found.value
            let times = try found.output.joined(separator: "\n").numbers(ofLine: "TIMES")
            (outcome.publishing, outcome.longestWrite) = (times[0], times[1])
            return outcome
        }
    }

    private let client: APIClient
    private let memory: ProcessMemory

    private func measure(_ feed: Data, _ variants: Int) async throws -> Outcome {
        var outcome = Outcome(feedMegabytes: Double(feed.count) / 1e6)
        let admin = try await session(
            "/v1/sessions", SignInRequest(email: TimedServer.email, password: TimedServer.password).json())
        var tokens: [String] = []
        for _ in 0..<ImportBench.buyers { tokens.append(try await session("/v1/sessions/guest", nil)) }
        (_, outcome.before, _) = try await whileBuying(tokens) { try await Task.sleep(for: .seconds(3)) }
        // Signing in has used memory too.
        try memory.resetPeak()
        (outcome.seconds, outcome.during, outcome.refusals) = try await whileBuying(tokens) {
            let start = ContinuousClock.now
            try await importing(feed, variants, token: admin)
            return start.elapsedSeconds
        }
        outcome.peakMegabytes = try memory.peakMegabytes
        _ = try await client.send(.GET, "/v1/products?category=cardigans")
        outcome.readMegabytes = try memory.peakMegabytes
        try await client.shutdown()
        return outcome
    }

    private func session(_ path: String, _ body: Data?) async throws -> String {
        try UserSession(json: try await client.send(.POST, path, body)).remoteSession.accessToken
    }

    private func importing(_ feed: Data, _ variants: Int, token: String) async throws {
        let path = "/v1/admin/imports"
        var found = try CatalogImport(
            json: try await client.send(
                .POST, path + "?format=shopify-csv", feed, headers: ["Content-Type": "text/csv"], token: token))
        while found.status == .running {
            try await Task.sleep(for: .milliseconds(50))
            found = try CatalogImport(json: try await client.send(.GET, "\(path)/\(found.id)", token: token))
        }
        guard found.status == .published, found.created == variants / 10 else { throw BenchError("\(found)") }
    }

    /// Lets buyers change their carts while the closure runs, and also returns the ascending latencies of their writes.
    private func whileBuying<Value: Sendable>(
        _ tokens: [String], _ body: @Sendable () async throws -> Value
    ) async throws -> (Value, [Double], refusals: Int) {
        try await withThrowingTaskGroup(of: (times: [Double], refusals: Int).self) { group in
            for (number, token) in tokens.enumerated() {
                group.addTask {
                    var (times, refusals) = ([Double](), 0)
                    while !Task.isCancelled {
                        let body = try QuantityRequest(quantity: 1 + times.count % 9).json()
                        let start = ContinuousClock.now
                        // Completes after cancellation too, since a write that was sent counts.
                        let status = try await Task {
                            try await client.answer(.PUT, "/v1/cart/lines/cap-\(number)", body, token: token).status
                        }.value
                        if status != .ok { refusals += 1 }
                        times.append(start.elapsedSeconds * 1_000)
                        try? await Task.sleep(for: ImportBench.pause)
                    }
                    return (times, refusals)
                }
            }
            let value = try await body()
            group.cancelAll()
            let all = try await group.reduce(into: (times: [Double](), refusals: 0)) {
                $0.times += $1.times
                $0.refusals += $1.refusals
            }
            return (value, all.times.sorted(), all.refusals)
        }
    }
}
