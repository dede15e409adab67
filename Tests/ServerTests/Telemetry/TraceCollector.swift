import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import ServerTesting
import Synchronization
import Testing

/// A collector that keeps the spans received by OTLP over HTTP in JSON.
final class TraceCollector: Sendable {
    struct Span: Sendable {
        let traceId: String
        let spanId: String
        let parentSpanId: String?
        let name: String
        let kind: Int64
        let startedAt: UInt64
        let endedAt: UInt64
        let isError: Bool
        let attributes: [String: JSON]
    }

    private let received = Mutex<[Data]>([])

    /// The bodies of all requests.
    var texts: [String] { received.withLock { $0.map { String(decoding: $0, as: UTF8.self) } } }

    /// - Throws: if a body does not have the form of the protocol.
    var spans: [Span] { get throws { try received.withLock { $0 }.flatMap(Self.read) } }

    /// Runs a shop that sends its traces to a collector.
    ///
    /// - Parameter status: the status of all responses of the collector.
    static func serve(
        _ products: [FeedProduct] = .usual, status: HTTPResponse.Status = .ok, sampling: Double = 0,
        logger: Logger? = nil, configure: @escaping @Sendable (inout ServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (TestShop, TraceCollector) async throws -> Void
    ) async throws {
        let collector = TraceCollector()
        let router = Router()
        router.post("v1/traces") { request, _ in
            let bytes = try await request.body.collect(upTo: 8 << 20)
            #expect(request.headers[.contentType] == "application/json")
            collector.received.withLock { $0.append(Data(bytes.readableBytesView)) }
            return Response(
                status: status, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(string: "{}")))
        }
        try await Application(router: router, logger: .silent).test(.live) { client in
            let url = try #require(PeerAddress("http://127.0.0.1:\(client.port ?? 0)"))
            let traced = { (configuration: inout ServerConfiguration) in
                (configuration.telemetry.traces, configuration.telemetry.traceSampling) = (url, sampling)
                configure(&configuration)
            }
            try await TestShop.open(products, logger: logger, configure: traced) { try await body($0, collector) }
        }
    }

    private static func read(_ body: Data) throws -> [Span] {
        let json = try JSON(json: body)
        var spans: [Span] = []
        for resource in try #require(json["resourceSpans"]?.array) {
            let attributes = try Self.attributes(try #require(resource["resource"]))
            #expect(attributes["service.name"] == "pouch-server")
            #expect(attributes["service.instance.id"]?.string?.isEmpty == false)
            for scope in try #require(resource["scopeSpans"]?.array) {
                #expect(scope["scope"]?["name"] == "pouch")
                spans += try #require(scope["spans"]?.array).map(span)
            }
        }
        return spans
    }

    private static func span(_ json: JSON) throws -> Span {
        func hex(_ key: String, _ digits: Int) throws -> String {
            let text = try #require(json[key]?.string)
            #expect(text.count == digits && text.allSatisfy { "0123456789abcdef".contains($0) })
            return text
        }
        func time(_ key: String) throws -> UInt64 {
            // 64 bits are a text in the JSON of Protocol Buffers.
            let time = try #require(json[key]?.string.flatMap { UInt64($0) })
            #expect(abs(Double(time) / 1e9 - Date().timeIntervalSince1970) < 600)
            return time
        }
        guard case .integer(let kind) = json["kind"], (1...5).contains(kind) else { throw JSONError.here(.invalid) }
        let status = try #require(json["status"]?.object)
        #expect(status["code"] == nil || status["code"] == 2)
        let span = Span(
            traceId: try hex("traceId", 32), spanId: try hex("spanId", 16),
            parentSpanId: json["parentSpanId"] == nil ? nil : try hex("parentSpanId", 16),
            name: try #require(json["name"]?.string), kind: kind, startedAt: try time("startTimeUnixNano"),
            endedAt: try time("endTimeUnixNano"), isError: status["code"] != nil, attributes: try attributes(json))
        #expect(span.startedAt <= span.endedAt)
        return span
    }

    private static func attributes(_ json: JSON) throws -> [String: JSON] {
        var found: [String: JSON] = [:]
        for attribute in try #require(json["attributes"]?.array) {
            let value = try #require(attribute["value"]?.object)
            #expect(value.count == 1)
            #expect(["stringValue", "intValue", "boolValue", "doubleValue"].contains(value.keys.first ?? ""))
            if let text = value["intValue"] { #expect(text.string.flatMap { Int64($0) } != nil) }
            found[try #require(attribute["key"]?.string)] = value.values.first
        }
        return found
    }
}
