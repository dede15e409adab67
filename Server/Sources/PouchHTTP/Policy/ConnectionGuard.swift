import HTTPTypes
import NIOCore
import NIOHTTPTypes
import PouchDomain
import Synchronization

/// Closes a connection whose client sends its first request or a body too slowly, reads an answer too slowly, or keeps
/// sending after the answer, and refuses connections beyond the share of one network.
///
/// Requests that the lane answers bypass this handler; `LaneHandler` also closes idle connections.
public final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    public typealias InboundIn = HTTPRequestPart
    public typealias InboundOut = HTTPRequestPart
    public typealias OutboundIn = HTTPResponsePart
    public typealias OutboundOut = HTTPResponsePart

    public struct Timeouts: Sendable {
        /// The time in which a client must send the head of its first request, including a TLS handshake.
        public var beginning = TimeAmount.seconds(20)
        /// The time in which a client must send `bytes` of a body, or read enough of an answer that the server can
        /// write more.
        public var time = TimeAmount.seconds(20)
        public var bytes = 32 << 10
        /// The bytes of a body that are read after the answer, so that a client that is still sending can read the
        /// answer.
        public var remainder = 32 << 20
        /// The time after which a connection without requests is closed.
        public var idle = TimeAmount.seconds(75)

        public init() {}
    }

    private let timeouts: Timeouts
    private let connections: ConnectionCount
    private var network: String?

    private var requestsBegun = 0
    private var responsesEnded = 0
    private var isReceiving = false
    /// Whether the server has asked for bytes that have not arrived; otherwise the server itself is slow.
    private var isWaiting = false
    /// The bytes of the body received since the last check, or since the answer.
    private var received = 0
    /// Whether the client asked for another protocol, which this server does not support. The server then reads nothing
    /// more: the decoder would collect all bytes after such a request.
    private var isLeavingHTTP = false
    private var beginning: Scheduled<Void>?
    private var receiving: Scheduled<Void>?
    private var unread: Scheduled<Void>?

    public init(_ timeouts: Timeouts, _ connections: ConnectionCount) {
        self.timeouts = timeouts
        self.connections = connections
    }

    // MARK: Connections

    public func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    public func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard network == nil, let client = context.remoteAddress?.ipAddress.flatMap({ NetworkAddress($0) }) else {
            return
        }
        guard connections.add(client) else { return context.close(promise: nil) }
        network = client.network
        let channel = context.channel
        beginning = context.eventLoop.scheduleTask(in: timeouts.beginning) { channel.close(promise: nil) }
    }

    public func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    public func handlerRemoved(context: ChannelHandlerContext) {
        end()
    }

    private func end() {
        beginning?.cancel()
        receiving?.cancel()
        unread?.cancel()
        if let network { connections.remove(network) }
        network = nil
    }

    // MARK: Requests

    /// The event that signals the lane's first answer.
    struct LaneAnswered: Sendable {}

    public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is LaneAnswered else { return context.fireUserInboundEventTriggered(event) }
        hasBegun()
    }

    private func hasBegun() {
        beginning?.cancel()
        beginning = nil
    }

    public func read(context: ChannelHandlerContext) {
        guard !isLeavingHTTP else { return }
        isWaiting = true
        context.read()
    }

    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isWaiting = false
        switch unwrapInboundIn(data) {
        case .head(let head):
            hasBegun()
            isLeavingHTTP = isLeavingHTTP || head.method == .connect || head.headerFields[.upgrade] != nil
            requestsBegun += 1
            isReceiving = true
            received = 0
        case .body(let piece): received += piece.readableBytes
        case .end:
            isReceiving = false
            receiving?.cancel()
            receiving = nil
        }
        if isAnswered, received > timeouts.remainder { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }

    public func channelReadComplete(context: ChannelHandlerContext) {
        // Most requests arrive complete, so they need no timer.
        if isReceiving, receiving == nil { watch(context) }
        context.fireChannelReadComplete()
    }

    /// Whether the request being received already has its answer.
    private var isAnswered: Bool { isReceiving && responsesEnded == requestsBegun }

    private func watch(_ context: ChannelHandlerContext) {
        let loop = context.eventLoop
        let bound = NIOLoopBound((self, context), eventLoop: loop)
        receiving = loop.scheduleTask(in: timeouts.time) {
            let (guardian, context) = bound.value
            guardian.check(context)
        }
    }

    private func check(_ context: ChannelHandlerContext) {
        receiving = nil
        guard isReceiving else { return }
        // The body of a request for another protocol is not read.
        if isAnswered || (isWaiting || isLeavingHTTP) && received < timeouts.bytes {
            return context.close(promise: nil)
        }
        received = 0
        watch(context)
    }

    // MARK: Answers

    public func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        responsesEnded += 1
        if isAnswered {
            // The client gets the whole time to read the answer.
            received = 0
            receiving?.cancel()
            watch(context)
        }
        guard isLeavingHTTP, responsesEnded == requestsBegun else { return context.write(data, promise: promise) }
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        let channel = context.channel
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.write(data, promise: written)
    }

    public func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            unread?.cancel()
            unread = nil
        } else if unread == nil {
            let channel = context.channel
            unread = context.eventLoop.scheduleTask(in: timeouts.time) { channel.close(promise: nil) }
        }
        context.fireChannelWritabilityChanged()
    }
}

/// The open connections of a server, by network.
///
/// One network may have an eighth of the limit, and a sixty-fourth while the last quarter of the limit is in use, so
/// that a few networks cannot take all connections; a wide network may have more (`NetworkShare`). Trusted proxies,
/// which represent many clients, may have any number.
public final class ConnectionCount: Sendable {
    private let limit: Int
    private let proxies: TrustedProxies
    private let counts = Mutex(Counts())

    private struct Counts {
        var all = 0
        var ofNetwork: [String: Int] = [:]
    }

    public init(limit: Int, proxies: TrustedProxies) {
        self.limit = limit
        self.proxies = proxies
    }

    /// The number of open connections.
    public var current: Int { counts.withLock { $0.all } }

    /// - Returns: false, without counting, if the client's network has reached its share.
    func add(_ client: NetworkAddress) -> Bool {
        counts.withLock { counts in
            let most = max(1, counts.all < limit / 4 * 3 ? limit / 8 : limit / 64)
            let shares = NetworkShare.all(of: client.network)
            let isWithin = shares.allSatisfy { counts.ofNetwork[$0.network, default: 0] < most * $0.factor }
            guard isWithin || proxies.contains(client) else { return false }
            counts.all += 1
            for share in shares { counts.ofNetwork[share.network, default: 0] += 1 }
            return true
        }
    }

    func remove(_ network: String) {
        counts.withLock { counts in
            counts.all -= 1
            for share in NetworkShare.all(of: network) {
                let count = counts.ofNetwork[share.network, default: 1]
                counts.ofNetwork[share.network] = count > 1 ? count - 1 : nil
            }
        }
    }
}
