import HTTPTypes
import Hummingbird
import NIOCore

/// Makes the gate ask a client for the body that it holds back with `Expect: 100-continue`, once a handler reads the
/// body. If a handler refuses the request before that, the client does not have to send the body.
struct AwaitedBodyMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: PouchRequestContext, next: (Request, PouchRequestContext) async throws -> Response
    ) async throws -> Response {
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
