import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A connection of the framework with a gate behind the request decoder, and optionally a lane.
struct GatedChannel: ServerChildChannel {
    let framework: HTTP1Channel
    let rule: RequestRule
    /// The headers of every response.
    let headers: HTTPFields
    var lane: @Sendable (any Channel, Logger) throws -> LaneHandler? = { _, _ in nil }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        framework.setup(channel: channel, logger: logger).flatMapThrowing { [rule, headers, lane] value in
            try RequestGate(rule, headers: headers).add(
                to: channel.pipeline.syncOperations, around: try lane(channel, logger))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await framework.handle(value: value, logger: logger)
    }
}

extension HTTPServerBuilder {
    /// A server for HTTP/1.1 with a gate on each connection, for operators' programs only.
    public static func forOperators(idle: TimeAmount) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            GatedChannel(
                framework: HTTP1Channel(responder: responder, configuration: .init(idleTimeout: idle)),
                rule: RequestRule(isPrivate: true), headers: [:])
        }
    }
}

/// Sends 100 (Continue) when a handler starts to read the body. If a handler refuses the request before that, the
/// client does not have to send the body.
struct AwaitedBodyMiddleware: RouterMiddleware {
    func handle(_ request: Request, context: PouchRequestContext, next: NextHandler) async throws -> Response {
        guard request.headers[.expect] != nil else { return try await next(request, context) }
        var request = request
        request.body = RequestBody(asyncSequence: AwaitedBody(body: request.body, channel: context.channel))
        return try await next(request, context)
    }
}

private struct AwaitedBody: AsyncSequence, Sendable {
    let body: RequestBody
    let channel: any Channel

    struct AsyncIterator: AsyncIteratorProtocol {
        var pieces: RequestBody.AsyncIterator
        var channel: (any Channel)?

        mutating func next() async throws -> ByteBuffer? {
            channel?.triggerUserOutboundEvent(RequestGate.BodyWanted(), promise: nil)
            channel = nil
            return try await pieces.next()
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pieces: body.makeAsyncIterator(), channel: channel)
    }
}
