import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import Synchronization

/// The fast path for ready catalogue answers: from the cache to the connection, on its event loop, before the
/// framework's routing.
///
/// An answer is the same on both paths, and so are its log line, its metrics and the limits that apply to its request.
/// It has no span: a request with `traceparent` is left to the framework.
/// `LaneHandler` decides for each request, and passes on requests that the lane cannot answer.
public final class CatalogLane: Sendable {
    let answers: CatalogAnswers<PublicAnswer>
    /// nil if requests are not limited.
    let limiter: NetworkLimiter?
    let addresses: ClientAddresses
    /// Whether each request is logged, at any log level.
    let logsEachRequest: Bool
    /// The bytes of a head between the request id and the value of `Date`.
    let headers: ByteBuffer
    private let fields: HTTPFields
    private let loops = Mutex<[ObjectIdentifier: NIOLoopBound<LaneLoop>]>([:])

    init(
        _ answers: CatalogAnswers<PublicAnswer>, limiter: NetworkLimiter?, policy: RequestPolicy, isEncrypted: Bool,
        telemetry: RequestTelemetry
    ) {
        logsEachRequest = telemetry.logsEachRequest
        self.answers = answers
        self.limiter = limiter
        addresses = ClientAddresses(proxies: policy.trustedProxies)
        var fields = ProblemMiddleware.headers(isEncrypted: isEncrypted)
        self.fields = fields
        if !policy.allowedOrigins.isEmpty { fields.append(AllowedOriginsMiddleware.vary) }
        headers = ByteBuffer(
            string: "\r\n" + fields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined() + "Date: ")
    }

    /// A server for HTTP/1.1 with a lane, a gate and a guard on each connection.
    public func server(_ timeouts: ConnectionGuard.Timeouts, _ connections: ConnectionCount) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            // The lane sees all requests, and so closes idle connections itself.
            let framework = HTTP1Channel(
                responder: responder,
                configuration: .init(additionalChannelHandlers: [ConnectionGuard(timeouts, connections)]))
            return GatedChannel(framework: framework, rule: RequestRule(), headers: self.fields) { channel, logger in
                LaneHandler(
                    self, self.loop(channel.eventLoop),
                    encoder: try channel.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self),
                    idle: timeouts.idle, logger)
            }
        }
    }

    private func loop(_ loop: any EventLoop) -> LaneLoop {
        loops.withLock { loops in
            let key = ObjectIdentifier(loop)
            let bound = loops[key] ?? NIOLoopBound(LaneLoop(), eventLoop: loop)
            loops[key] = bound
            return bound
        }.value
    }
}

/// The parts of a head that all lanes of an event loop share.
final class LaneLoop {
    /// The buffer for heads. While the bytes of the last head are not sent, the next head gets other memory.
    var buffer = ByteBuffer()
    private var date = ""
    private var dateEnds = NIODeadline.uptimeNanoseconds(0)

    /// The value of `Date`, computed once a second.
    func date(at now: NIODeadline) -> String {
        guard now >= dateEnds else { return date }
        let seconds = Date().timeIntervalSince1970
        date = Self.date(seconds)
        dateEnds = now + .nanoseconds(Int64((seconds.rounded(.down) + 1 - seconds) * 1e9))
        return date
    }

    /// A time in seconds since 1970, formatted for `Date`.
    static func date(_ seconds: Double) -> String {
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 30)
        strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
