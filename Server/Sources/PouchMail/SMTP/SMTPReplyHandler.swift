import NIOCore

/// Sends commands and waits for their replies, one at a time, each with a timeout.
///
/// Used only on the event loop of its channel.
final class SMTPReplyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The reason why there is no reply.
    enum Failure: Error {
        case timeout
        case closed
        /// The server sends something other than SMTP.
        case malformed
        case cancelled
        case other(any Error)
    }

    /// The time for a reply that decides whether the e-mail was accepted, once the caller has cancelled.
    private static let lastTimeout = TimeAmount.seconds(10)

    private let eventLoop: any EventLoop
    private var parser = SMTPReplyParser()
    private var context: ChannelHandlerContext?
    /// A reply that arrived before it was requested, such as the greeting.
    private var unread: SMTPReply?
    private var failure: Failure?
    private var waiting: EventLoopPromise<SMTPReply>?
    private var mayCancel = true
    private var timeout: Scheduled<Void>?

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    // MARK: Asking

    /// Sends a command and waits for its reply. Fails and closes the connection, without sending, if a reply that
    /// belongs to no command has arrived, such as the 421 with which a server closes an idle connection.
    ///
    /// - Parameters:
    ///   - bytes: nil to wait for a reply without a command, such as the greeting.
    ///   - mayCancel: false for a reply without which it is unknown whether the e-mail was accepted.
    func ask(_ bytes: ByteBuffer?, within limit: TimeAmount, mayCancel: Bool) -> EventLoopFuture<SMTPReply> {
        if bytes != nil, !isQuiet {
            let failure = unread?.code == 421 ? Failure.closed : .malformed
            fail(failure)
            return eventLoop.makeFailedFuture(failure)
        }
        if let unread {
            self.unread = nil
            return eventLoop.makeSucceededFuture(unread)
        }
        if let failure { return eventLoop.makeFailedFuture(failure) }
        guard let context else { return eventLoop.makeFailedFuture(Failure.closed) }
        let promise = eventLoop.makePromise(of: SMTPReply.self)
        waiting = promise
        self.mayCancel = mayCancel
        startTimeout(limit)
        if let bytes { context.writeAndFlush(NIOAny(bytes), promise: nil) }
        return promise.futureResult
    }

    /// Ends the wait immediately, or soon if the e-mail may have been accepted.
    func cancel() {
        if mayCancel { fail(.cancelled) } else if waiting != nil { startTimeout(Self.lastTimeout) }
    }

    /// Whether no unrequested bytes have arrived. An attacker could have inserted such bytes before the encryption
    /// begins.
    var isQuiet: Bool { unread == nil && !parser.isInside }

    private func startTimeout(_ limit: TimeAmount) {
        timeout?.cancel()
        timeout = eventLoop.assumeIsolated().scheduleTask(in: limit) { self.fail(.timeout) }
    }

    private func fail(_ failure: Failure) {
        self.failure = self.failure ?? failure
        timeout?.cancel()
        let waiting = waiting
        self.waiting = nil
        waiting?.fail(failure)
        context?.close(promise: nil)
    }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        fail(.closed)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        parser.append(unwrapInboundIn(data))
        do {
            while let reply = try parser.next() {
                if let waiting {
                    timeout?.cancel()
                    self.waiting = nil
                    waiting.succeed(reply)
                } else if unread == nil {
                    unread = reply
                } else {
                    return fail(.malformed)
                }
            }
        } catch {
            fail(.malformed)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(.closed)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(.other(error)) }
}
