import HTTPTypes
import ServerTesting
import Testing

/// The metrics of running servers.
@Suite("Metrics of a server", .timeLimit(.minutes(5)))
struct MetricsTests {
    /// Runs a shop with metrics, and passes a function that reads them.
    private static func serve(
        _ body: @Sendable (LaneShop, @escaping @Sendable () async throws -> Exposition) async throws -> Void
    ) async throws {
        let port = MetricsPort()
        try await LaneShop.serve(configure: port.open) { shop in
            try await body(shop) { try await port.scrape() }
        }
    }

    @Test
    func `Requests are counted exactly, by endpoint and status, on the lane and beyond, during scrapes`() async throws {
        try await Self.serve { shop, scrape in
            try await shop.prepare("/v1/seasons", "/v1/products?limit=2")
            let etag = try #require(try await shop.connect().get("/v1/seasons")?.header("ETag"))
            let before = try await scrape()
            let clients = 6
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<clients {
                    group.addTask {
                        let connection = try shop.connect()
                        for _ in 0..<20 {
                            _ = try await connection.get("/v1/seasons")
                            _ = try await connection.get("/v1/seasons", "If-None-Match: \(etag)")
                            _ = try await connection.get("/v1/products?limit=2", "Cookie: a=b")
                            _ = try await connection.get("/v1/products/no-such-\(client)")
                            _ = try await connection.get("/no/such/\(client)?token=secret")
                            _ = try await connection.get("/v1/cart")
                        }
                    }
                }
                // Each scrape in between is valid, and no count falls.
                var last = before
                for _ in 0..<10 {
                    let now = try await scrape()
                    for (series, value) in last.values where series.name.hasSuffix("_total") {
                        #expect(now.values[series] ?? 0 >= value, "\(series)")
                    }
                    last = now
                }
                try await group.waitForAll()
            }
            let after = try await scrape()
            func more(_ name: String, _ labels: [String: String] = [:]) -> Double {
                after.sum(name, labels) - before.sum(name, labels)
            }
            let each = Double(20 * clients)
            for (route, status, count) in [
                ("seasons", "200", each), ("seasons", "304", each), ("products", "200", each),
                ("product", "404", each), ("unknown", "404", each), ("cart", "401", each),
            ] {
                #expect(more("pouch_http_requests_total", ["route": route, "status": status]) == count, "\(route)")
            }
            #expect(more("pouch_http_requests_total") == 6 * each)
            #expect(more("pouch_http_request_duration_seconds_count") == 6 * each)
            #expect(more("pouch_http_request_duration_seconds_count", ["route": "seasons"]) == 2 * each)
            #expect(more("pouch_catalog_answers_total", ["source": "lane"]) == 2 * each)
            #expect(more("pouch_catalog_answers_total", ["source": "cache"]) == each)
            try await eventually { try await scrape().value("pouch_http_requests_active") == 0 }
            // No label has a path, an id or a query.
            let labels = after.values.keys.flatMap(\.labels.values)
            #expect(!labels.contains { $0.contains("no-such") || $0.contains("secret") || $0.contains("/") })
        }
    }

    @Test func `Pages and forms are counted by the paths of their routes, not by those asked for`() async throws {
        try await Self.serve { shop, scrape in
            let before = try await scrape()
            let connection = try shop.connect()
            for path in ["/product/cap", "//product//cap/", "/product/no-such?token=secret", "/no-such", "/products"] {
                _ = try await connection.get(path, "Accept: text/html")
            }
            try connection.connection.send("HEAD /product/cap HTTP/1.1\r\nHost: shop\r\n\r\n")
            _ = await connection.next(isOfHead: true)
            // Without the token of a form.
            let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded", .accept: "text/html"]
            let transport = Transport.tcp(port: shop.port)
            _ = try await transport(.post, "/checkout", form, Data("email=secret".utf8))
            _ = try await transport(.post, "/product/cap", form, Data("email=secret".utf8))
            let after = try await scrape()
            let expected: [(String, String, Double)] = [
                ("GET /product/{handle}", "200", 3), ("GET /product/{handle}", "404", 1), ("GET /products", "200", 1),
                ("POST /checkout", "403", 1), ("unknown", "404", 1), ("unknown", "405", 1),
            ]
            for (route, status, count) in expected {
                let labels = ["route": route, "status": status]
                let sums = [before, after].map { $0.sum("pouch_http_requests_total", labels) }
                #expect(sums[1] - sums[0] == count, "\(route) \(status)")
            }
            #expect(after.sum("pouch_http_request_duration_seconds_count", ["route": "GET /product/{handle}"]) == 4)
            let labels = after.values.keys.flatMap(\.labels.values)
            #expect(!labels.contains { $0.contains("no-such") || $0.contains("secret") || $0.contains("/cap") })
            let logged = Set(shop.log.lines.compactMap { $0.metadata["route"] })
            #expect(logged.isSuperset(of: ["GET /product/{handle}", "GET /products", "POST /checkout", "unknown"]))
        }
    }

    @Test func `Orders, payments, transactions and commits are measured`() async throws {
        try await Self.serve { shop, scrape in
            let transport = Transport.tcp(port: shop.port)
            let before = try await scrape()
            let guests = try await parallel(4) { _ in try await transport.guest() }
            _ = try await parallel(4) { try await guests[$0].buyNow().good() }
            _ = try await guests[0].buyNow(card: "tok_declined")
            let after = try await scrape()
            func more(_ name: String, _ labels: [String: String] = [:]) -> Double {
                after.sum(name, labels) - before.sum(name, labels)
            }
            #expect(more("pouch_payment_calls_total", ["operation": "charge", "outcome": "captured"]) == 4)
            #expect(more("pouch_payment_calls_total", ["operation": "charge", "outcome": "declined"]) == 1)
            #expect(more("pouch_http_requests_total", ["route": "buyNow", "status": "201"]) == 4)
            #expect(more("pouch_http_requests_total", ["route": "buyNow", "status": "402"]) == 1)
            #expect(after.value("pouch_orders_open", ["status": "paid"]) == 4)
            // The jobs of the server write, too.
            try await eventually { try await scrape().value("pouch_database_waiting", ["kind": "write"]) == 0 }
            // On PostgreSQL they are numbered, and so seen, a little later.
            try await eventually { try await scrape().value("pouch_events_total", ["type": "order.paid"]) == 4 }
            #expect(more("pouch_database_transactions_total", ["kind": "write"]) >= 14)
            #expect(more("pouch_database_wait_duration_seconds_count", ["kind": "write"]) >= 14)
            if TestDatabase.isPostgres {
                #expect(after.types["pouch_database_commit_transactions"] == nil)
            } else {
                let commits = more("pouch_database_commit_transactions_count")
                let sizes = more("pouch_database_commit_transactions_sum")
                #expect(commits > 0 && commits <= sizes && sizes >= 14)
            }
        }
    }

    @Test func `Every metric of the dashboard and of the alerts is one that a server exports`() async throws {
        let operations = URL.repository.appending(path: "Server/Operations")
        let dashboard = try Data(contentsOf: operations.appending(path: "grafana-dashboard.json"))
        _ = try JSONSerialization.jsonObject(with: dashboard)
        let texts = try [
            String(decoding: dashboard, as: UTF8.self),
            String(contentsOf: operations.appending(path: "alerts.yml"), encoding: .utf8),
        ]
        let named = Set(texts.flatMap { $0.matches(of: /\b(?:pouch|process)_[a-z_]+\b/).map { String($0.output) } })
        #expect(named.count > 30)
        let port = MetricsPort()
        try await TraceCollector.serve(sampling: 1, configure: { port.open(&$0) }) { shop, _ in
            _ = try await shop.guest().order()
            _ = try await shop.anyone.call(Contract.products)
            try await eventually {
                let found = try await port.scrape().types
                let names = Set(
                    found.flatMap { name, type in
                        type == "histogram" ? [name, name + "_bucket", name + "_sum", name + "_count"] : [name]
                    })
                var missing = named.subtracting(names)
                if TestDatabase.isPostgres { missing = missing.filter { !$0.contains("commit_transactions") } }
                return missing.isEmpty
            }
        }
    }

    @Test(arguments: [
        ("localhost", 200), ("localhost:9", 200), ("127.0.0.1:9", 200), ("[::1]", 200), ("evil.example", 400),
        ("", 400),
    ])
    func `From this machine the metrics can be read only under its own names`(host: String, status: Int) async throws {
        let port = MetricsPort()
        try await LaneShop.serve(configure: port.open) { _ in
            let connection = LaneClient(try RawConnection(port: port.number))
            #expect(try await connection.answer(to: "GET /metrics HTTP/1.1\r\nHost: \(host)\r\n\r\n")?.status == status)
        }
    }

    @Test func `The port of the metrics has no other path, and the shop's port does not have metrics`() async throws {
        try await Self.serve { shop, scrape in
            _ = try await scrape()
            #expect(try await Transport.tcp(port: shop.port)(.get, "/metrics", [:], nil).status == 404)
        }
    }
}
