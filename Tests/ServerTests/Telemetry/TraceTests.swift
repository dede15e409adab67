import HTTPTypes
import Hummingbird
import HummingbirdTesting
import PouchTelemetry
import ServerTesting
import Synchronization
import Testing

@Suite("Traces of a server", .timeLimit(.minutes(5)))
struct TraceTests {
    private static let caller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    private static let traceId = "4bf92f3577b34da6a3ce929d0e0e4736"

    @Test func `A checkout is one trace, from the caller to the server's statements and the payment`() async throws {
        try await TraceCollector.serve { shop, collector in
            let guest = try await shop.guest()
            try await guest.fillCart()
            // None of these had a caller with a trace, and by chance none is recorded.
            let order = try await guest.checkout(headers: [HeaderName.traceparent: Self.caller])
            #expect(order.status == 201)
            try await eventually { try collector.spans.contains { $0.kind == 2 } }
            let spans = try collector.spans
            #expect(Set(spans.map(\.traceId)) == [Self.traceId])
            let byId = Dictionary(uniqueKeysWithValues: spans.map { ($0.spanId, $0) })
            let server = try #require(spans.first { $0.kind == 2 })
            #expect(server.name == "POST /v1/cart/checkout" && server.parentSpanId == "00f067aa0ba902b7")
            #expect(server.attributes["http.route"] == "/v1/cart/checkout")
            #expect(server.attributes["http.response.status_code"] == "201")
            #expect(server.attributes["pouch.request_id"]?.string == order.header(HeaderName.requestId))
            #expect(!server.isError)

            /// The names from a span up to the request.
            func chain(_ span: TraceCollector.Span) -> [String] {
                span.parentSpanId.flatMap { byId[$0] }.map { [span.name] + chain($0) } ?? [span.name]
            }
            let chains = Set(spans.map { chain($0).joined(separator: " < ") })
            #expect(chains.contains("INSERT orders < transaction write < POST /v1/cart/checkout"), "\(chains)")
            #expect(chains.contains("payment charge < POST /v1/cart/checkout"))
            #expect(chains.allSatisfy { $0.hasSuffix("POST /v1/cart/checkout") })
            #expect(spans.filter { $0.name == "payment charge" }.allSatisfy { $0.kind == 3 })
            for span in spans {
                let parent = span.parentSpanId.flatMap { byId[$0] }
                #expect(parent.map { $0.startedAt <= span.startedAt } ?? (span.spanId == server.spanId))
            }
        }
    }

    @Test func `A caller that does not record is not recorded, with any sampling`() async throws {
        try await TraceCollector.serve(sampling: 1) { shop, collector in
            let unsampled = Self.caller.dropLast(2) + "00"
            _ = try await shop.anyone.send("GET", "/v1/products", headers: [HeaderName.traceparent: String(unsampled)])
            #expect(try await shop.anyone.send("GET", "/v1/products/no-such").status == 404)
            try await eventually { try collector.spans.contains { $0.name == "GET /v1/products/{handle}" } }
            let spans = try collector.spans
            #expect(!spans.contains { $0.traceId == Self.traceId })
            // A mistake of the client is no error of the server.
            let own = try #require(spans.first { $0.name == "GET /v1/products/{handle}" })
            #expect(own.parentSpanId == nil && !own.isError && own.attributes["error.type"] == "not_found")
        }
    }

    @Test func `The span of a page is named by the path of its route`() async throws {
        try await TraceCollector.serve(sampling: 1) { shop, collector in
            _ = try await shop.anyone.send("GET", "/product/no-such")
            try await eventually { try collector.spans.contains { $0.name == "GET /product/{handle}" } }
            let page = try #require(try collector.spans.first { $0.name == "GET /product/{handle}" })
            #expect(page.attributes["http.route"] == "/product/{handle}")
            #expect(page.attributes["pouch.endpoint"] == "GET /product/{handle}")
        }
    }

    @Test func `Work in the background is a trace of its own, with its transactions`() async throws {
        try await TraceCollector.serve(sampling: 1) { _, collector in
            try await eventually {
                let spans = try collector.spans
                let roots = spans.filter { $0.parentSpanId == nil && $0.kind == 1 }
                guard let work = roots.first(where: { $0.name == "purging" }) else { return false }
                return spans.contains { $0.parentSpanId == work.spanId && $0.name == "transaction write" }
            }
        }
    }

    @Test
    func `The payment provider gets the span of its call, and its failure is an error of that span`() async throws {
        let headers = Mutex<[String]>([])
        let router = Router()
        router.get("v1/ledger") { _, _ in #"{"id":"led_1"}"# }
        router.post("v1/charges") { request, _ in
            headers.withLock { $0.append(request.headers[.init(HeaderName.traceparent)!] ?? "none") }
            return Response(status: .internalServerError)
        }
        try await Application(router: router, logger: .silent).test(.live) { client in
            let provider = try #require(PeerAddress("http://127.0.0.1:\(client.port ?? 0)"))
            try await TraceCollector.serve(configure: { $0.payments = .service(provider, key: "sk_secret") }) {
                shop, collector in
                let guest = try await shop.guest()
                try await guest.fillCart()
                _ = try await guest.checkout(headers: [HeaderName.traceparent: Self.caller])
                try await eventually { try collector.spans.contains { $0.kind == 2 } }
                let call = try #require(try collector.spans.first { $0.name == "payment charge" })
                #expect(headers.withLock { $0 } == ["00-\(Self.traceId)-\(call.spanId)-01"])
                #expect(call.isError && call.attributes["pouch.outcome"] == "noAnswer")
            }
        }
    }

    @Test func `An absent collector delays no request, and one that refuses loses only the spans`() async throws {
        let away = try #require(PeerAddress("http://127.0.0.1:\(try RawConnection.freePort())"))
        let port = MetricsPort()
        let configure = { (configuration: inout ServerConfiguration) in
            (configuration.telemetry.traces, configuration.telemetry.traceSampling) = (away, 1)
            port.open(&configuration)
        }
        try await TestShop.open(configure: configure) { shop in
            for _ in 0..<20 { #expect(try await shop.anyone.send("GET", "/v1/products").status == 200) }
            let found = try await port.scrape()
            #expect(try #require(found.value("pouch_spans_waiting")) > 0)
            #expect(found.value("pouch_spans_sent_total") == 0)
        }
        try await TraceCollector.serve(status: .badRequest, sampling: 1, configure: { port.open(&$0) }) { shop, _ in
            #expect(try await shop.anyone.send("GET", "/v1/products").status == 200)
            try await eventually { try await port.scrape().value("pouch_spans_refused_total") ?? 0 > 0 }
        }
    }

    @Test func `A full queue drops spans and counts them`() {
        let queue = SpanQueue(bound: 10)
        let tracer = SpanTracer(sampling: 1, queue: queue)
        for _ in 0..<12 { tracer.startSpan("a").end() }
        let span = tracer.startSpan("b")
        span.end()
        span.end()
        #expect(queue.count == 10 && queue.dropped == 3)
    }

    @Test(arguments: [
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
        ("01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
        ("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-the-future-adds", true),
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", false),
        ("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.more", false),
        ("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
        ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
        ("00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", false),
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331", false), ("", false), ("nonsense", false),
    ])
    func `A trace parent of a later version is read as far as this version defines it`(field: String, isRead: Bool) {
        let caller = TraceContext(field)
        #expect((caller != nil) == isRead)
        guard let caller else { return }
        #expect(caller.spanId == "b7ad6b7169203331" && caller.isSampled)
        #expect(caller.traceparent == "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
    }

    @Test func `Of the requests in one second a bounded number is recorded, and all those of callers that record`() {
        let queue = SpanQueue(bound: 100_000)
        let tracer = SpanTracer(sampling: 1, queue: queue)
        let now = ContinuousClock.now + .seconds(5)
        let caller = TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        func recorded(at instant: ContinuousClock.Instant, caller: TraceContext? = nil) -> Int {
            (0..<500).count { _ in tracer.startRequest("GET /", caller: caller, at: instant)?.isRecording ?? false }
        }
        #expect(recorded(at: now) == SpanTracer.maxRequests)
        #expect(recorded(at: now + .milliseconds(999)) == 0)
        #expect(recorded(at: now + .milliseconds(999), caller: caller) == 500)
        #expect(recorded(at: now + .seconds(1)) == SpanTracer.maxRequests)
    }

    @Test func `Child spans follow the random sampling decision of their trace`() {
        let queue = SpanQueue(bound: 100_000)
        let tracer = SpanTracer(sampling: 0.25, queue: queue)
        var sampled = 0
        for _ in 0..<4_000 {
            let root = tracer.startSpan("root", in: nil)
            let child = tracer.startSpan("child", in: root.trace)
            let (parent, own) = (root.trace, child.trace)
            #expect(own.traceId == parent.traceId && own.spanId != parent.spanId)
            #expect(own.isSampled == parent.isSampled && child.isRecording == parent.isSampled)
            #expect(TraceContext(own.traceparent) == own)
            sampled += own.isSampled ? 1 : 0
        }
        // Five standard deviations.
        #expect(abs(sampled - 1_000) < 137)
    }
}
