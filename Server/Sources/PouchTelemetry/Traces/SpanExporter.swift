import AsyncHTTPClient
import CoreMetrics
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import PouchJSON
import ServiceLifecycle

/// Sends the spans of a queue to a collector, as OTLP in JSON over HTTP.
///
/// While the collector is down, the last batch is sent again at growing intervals, and the queue drops what exceeds its
/// capacity. A batch that the collector refuses is dropped. Spans whose answer was lost are sent twice.
public struct SpanExporter: Service {
    /// The number of spans in one request, of about 500 bytes each.
    private static let batch = 512
    private static let interval = Duration.milliseconds(500)
    private static let longestPause = Duration.seconds(10)
    /// The time limit for an answer and, when the server ends, for all remaining spans.
    private static let timeLimit = Duration.seconds(3)

    private let collector: URL
    private let queue: SpanQueue
    private let resource: [FinishedSpan.Attribute]
    private let sent: Counter
    private let refused: Counter
    private let logger: Logger

    /// - Parameters:
    ///   - collector: the collector's address without `/v1/traces`, such as `http://127.0.0.1:4318`.
    ///   - instance: distinguishes the servers of a shop.
    public init(to collector: URL, of queue: SpanQueue, instance: String, metrics: any MetricsFactory, logger: Logger) {
        self.collector = collector.appending(path: "v1/traces")
        self.queue = queue
        resource = [
            .init(key: "service.name", value: .text("pouch-server")),
            .init(key: "service.instance.id", value: .text(instance)),
        ]
        sent = Counter(label: "pouch_spans_sent_total", factory: metrics)
        refused = Counter(label: "pouch_spans_refused_total", factory: metrics)
        self.logger = logger
    }

    public func run() async throws {
        var configuration = HTTPClient.Configuration.toPeer
        configuration.timeout = .init(connect: .seconds(2), read: TimeAmount(Self.timeLimit))
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.tracing.tracer = nil
        let client = HTTPClient(configuration: configuration)
        await cancelWhenGracefulShutdown { await send(by: client) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { while queue.count > 0, await sendSome(by: client) {} }
            group.addTask { try? await Task.sleep(for: Self.timeLimit) }
            await group.next()
            group.cancelAll()
        }
        try await client.shutdown()
    }

    private func send(by client: HTTPClient) async {
        var pause = Self.interval
        var isAway = false
        while !Task.isCancelled {
            if queue.count > 0 {
                let isDone = await sendSome(by: client)
                if isDone == isAway, !Task.isCancelled {
                    isAway = !isDone
                    note(isAway: isAway)
                }
                pause = isDone ? Self.interval : min(pause * 2, Self.longestPause)
                if isDone, queue.count >= Self.batch { continue }
            }
            try? await Task.sleep(for: pause)
        }
    }

    private func note(isAway: Bool) {
        let host: Logger.Metadata = ["collector": "\(collector.host() ?? "")"]
        if isAway {
            logger.warning(
                "the trace collector does not answer; spans wait, and are dropped if too many wait", metadata: host)
        } else {
            logger.notice("the trace collector answers again", metadata: host)
        }
    }

    /// Sends the oldest spans, and removes them from the queue unless they may be sent again.
    ///
    /// - Returns: whether they were removed.
    private func sendSome(by client: HTTPClient) async -> Bool {
        let spans = queue.first(Self.batch)
        guard await send(spans, by: client) else { return false }
        queue.removeFirst(spans.count)
        return true
    }

    /// - Returns: whether the spans are done; if not, they may be sent again.
    private func send(_ spans: [FinishedSpan], by client: HTTPClient) async -> Bool {
        guard let body = try? OTLPBatch(resource: resource, spans: spans).json else {
            refused.increment(by: spans.count)
            return true
        }
        var request = HTTPClientRequest(url: collector.absoluteString)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: body))
        guard let response = try? await client.execute(request, timeout: TimeAmount(Self.timeLimit)),
            let answer = try? await response.body.collect(upTo: 64 << 10)
        else { return false }
        switch response.status.code {
        case 200..<300:
            let rejected = min(spans.count, Self.rejected(Data(answer.readableBytesView)))
            sent.increment(by: spans.count - rejected)
            refused.increment(by: rejected)
            return true
        // The statuses that the protocol calls retryable.
        case 429, 502, 503, 504: return false
        default:
            refused.increment(by: spans.count)
            return true
        }
    }

    /// The number of spans named in an answer with a partial success, as a number or a string.
    private static func rejected(_ answer: Data) -> Int {
        switch (try? JSON(json: answer))?["partialSuccess"]?["rejectedSpans"] {
        case .string(let text): max(0, Int(text) ?? 0)
        case .integer(let count): max(0, Int(count))
        default: 0
        }
    }
}
