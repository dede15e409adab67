import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import PouchDomain
import PouchWire

/// Answers requests for ready catalogue pages instead of the framework, and closes idle connections.
///
/// A request is passed on unless three conditions hold: the answer depends only on its URI and `If-None-Match`; all
/// earlier requests of the connection are answered, so that answers keep the order of their requests; and the client
/// reads fast enough.
final class LaneHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The maximum bytes that wait to be flushed together. TLS copies everything that it sends.
    private static let longestWait = 64 << 10
    /// The maximum bytes of a body that are cheaper to copy behind the head than to send separately.
    private static let longestCopy = 16 << 10

    private let lane: CatalogLane
    private let loop: LaneLoop
    private let idle: TimeAmount
    private let logger: Logger
    /// The encoder's context, for writes that bypass the encoder; nil after the connection.
    private var encoder: ChannelHandlerContext?
    private var peer: NetworkAddress?
    private var peerNetwork = ""

    /// The request that is being received, if the lane answers it.
    private var request: LaneRequest?
    private var hasAnswered = false
    /// The number of bytes written but not flushed.
    private var unflushed = 0
    /// The number of requests that were passed on and have no complete answer yet.
    private var outstanding = 0
    /// Whether the connection ends after the requests that were passed on.
    private var isEnding = false
    private var lastActivity = NIODeadline.uptimeNanoseconds(0)
    private var timer: Scheduled<Void>?

    init(_ lane: CatalogLane, _ loop: LaneLoop, encoder: ChannelHandlerContext, idle: TimeAmount, _ logger: Logger) {
        self.lane = lane
        self.loop = loop
        self.encoder = encoder
        self.idle = idle
        self.logger = logger
    }

    // MARK: Connections

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    private func begin(_ context: ChannelHandlerContext) {
        peer = context.remoteAddress?.ipAddress.flatMap { NetworkAddress($0) }
        peerNetwork = peer?.network ?? ""
        lastActivity = .now()
        watch(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        encoder = nil
    }

    /// Closes the connection when it is idle for too long.
    private func watch(_ context: ChannelHandlerContext) {
        timer?.cancel()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: lastActivity + idle) {
            let (handler, context) = bound.value
            handler.timer = nil
            // The end of the last answer starts the next watch.
            guard handler.outstanding == 0 else { return }
            guard handler.lastActivity + handler.idle <= .now() else { return handler.watch(context) }
            context.close(promise: nil)
        }
    }

    /// Passes on the end of the client's input, and the server's request to end the connection, once all answers are
    /// sent: the framework does not know these answers and would close the connection at once.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: break
        case ChannelEvent.inputClosed: break
        default: return context.fireUserInboundEventTriggered(event)
        }
        isEnding = true
        guard hasAnswered, let encoder else { return context.fireUserInboundEventTriggered(event) }
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { _ in context.fireUserInboundEventTriggered(event) }
        encoder.writeAndFlush(NIOAny(ByteBuffer()), promise: sent)
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            lastActivity = .now()
            request = answerable(head, context)
            guard request == nil else { return }
            outstanding += 1
            isEnding =
                isEnding || !head.isKeepAlive || head.version != .http1_1 || head.method == .CONNECT
                || head.headers.contains(name: "upgrade")
        case .body: lastActivity = .now()
        case .end:
            guard let request else { break }
            self.request = nil
            return answer(request, context)
        }
        context.fireChannelRead(data)
    }

    /// An event from the gate, which reads nothing more.
    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        if event is RequestGate.Closing { isEnding = true }
        context.triggerUserOutboundEvent(event, promise: promise)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flush()
        context.fireChannelReadComplete()
    }

    private func answerable(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) -> LaneRequest? {
        guard outstanding == 0, !isEnding, head.method == .GET, head.version == .http1_1, context.channel.isWritable,
            var request = LaneRequest(head, start: lastActivity), let page = lane.answers.ready(head.uri)
        else { return nil }
        request.page = page
        var network = peerNetwork
        request.client = peer
        if let peer, !request.forwarded.isEmpty {
            let client = lane.addresses.client(peer: peer, forwarded: request.forwarded, logger)
            (request.client, network) = (client, client.network)
        }
        // Beyond the limit the framework refuses the request.
        if let limiter = lane.limiter, (try? limiter.take(from: network)) == nil { return nil }
        return request
    }

    // MARK: Answers

    private func answer(_ request: LaneRequest, _ context: ChannelHandlerContext) {
        guard let page = request.page, let encoder else { return }
        let isKnown = page.isKnown(request.ifNoneMatch)
        let id = RequestID().description
        let duration = (NIODeadline.now() - request.start).nanoseconds
        page.meter?.count(isKnown: isKnown, nanoseconds: duration)
        lane.answers.noteReady()
        log(request, id, isKnown ? 304 : 200, .nanoseconds(duration))
        loop.buffer.clear()
        loop.buffer.writeImmutableBuffer(isKnown ? page.notModifiedHead : page.head)
        loop.buffer.writeStaticString("Request-Id: ")
        loop.buffer.writeString(id)
        loop.buffer.writeImmutableBuffer(lane.headers)
        loop.buffer.writeString(loop.date(at: request.start))
        loop.buffer.writeStaticString("\r\n\r\n")
        var rest = isKnown ? nil : page.body
        if let body = rest, body.readableBytes <= Self.longestCopy {
            loop.buffer.writeImmutableBuffer(body)
            rest = nil
        }
        encoder.write(NIOAny(loop.buffer), promise: nil)
        if let rest { encoder.write(NIOAny(rest), promise: nil) }
        unflushed += loop.buffer.readableBytes + (rest?.readableBytes ?? 0)
        if unflushed >= Self.longestWait { flush() }
        if !hasAnswered {
            hasAnswered = true
            context.fireUserInboundEventTriggered(ConnectionGuard.LaneAnswered())
        }
    }

    private func flush() {
        guard unflushed > 0 else { return }
        unflushed = 0
        encoder?.flush()
    }

    private func log(_ request: LaneRequest, _ id: String, _ status: Int, _ duration: Duration) {
        guard RequestLine.isLogged(by: logger, always: lane.logsEachRequest) else { return }
        var logger = logger
        logger[metadataKey: "hb.request.id"] = "\(id)"
        if let client = request.client { logger[metadataKey: "client"] = "\(client)" }
        RequestLine(
            method: .get, uri: URI(request.uri), agent: request.agent, route: request.page?.meter?.endpoint ?? "",
            status: status, duration: duration
        ).log(to: logger, always: lane.logsEachRequest)
    }

    /// An answer by the framework.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            outstanding -= 1
            lastActivity = .now()
            if outstanding == 0, timer == nil { watch(context) }
        }
        context.write(data, promise: promise)
    }
}

/// A request for a catalogue page in which only `If-None-Match` can change the answer.
private struct LaneRequest {
    let uri: String
    let start: NIODeadline
    var page: PublicAnswer?
    var client: NetworkAddress?
    private(set) var ifNoneMatch: String?
    private(set) var agent: String?
    private var hasHost = false
    /// The values of `X-Forwarded-For`.
    private(set) var forwarded: [String] = []

    /// Header fields that leave a request to the framework: it has a body or ends the connection, or the answer depends
    /// on them.
    private static let others = Set(
        [
            HTTPField.Name.contentLength, .transferEncoding, .expect, .upgrade, .range, .authorization, .accessToken,
            .cookie, .ifMatch, .origin, .traceparent,
        ].map(\.canonicalName))

    /// - Returns: nil for a request that only the framework can answer.
    init?(_ head: HTTPRequestHead, start: NIODeadline) {
        uri = head.uri
        self.start = start
        var bytes = head.uri.utf8.count
        for (name, value) in head.headers {
            bytes += name.utf8.count + value.utf8.count
            switch name.lowercased() {
            case "host":
                guard !hasHost, RequestRule.isHost(value) else { return nil }
                hasHost = true
            case "if-none-match":
                guard ifNoneMatch == nil else { return nil }
                // Without surrounding white space, as the framework reads it.
                ifNoneMatch = HTTPField(name: .ifNoneMatch, value: value).value
            case "x-forwarded-for": forwarded.append(value)
            case "user-agent": agent = agent.map { "\($0), \(value)" } ?? value
            case "connection": guard value.lowercased() == "keep-alive" else { return nil }
            case let name: guard !Self.others.contains(name) else { return nil }
            }
        }
        guard hasHost, bytes <= Limits.headerBytes else { return nil }
    }
}
