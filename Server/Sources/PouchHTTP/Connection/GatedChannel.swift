import HTTPTypes
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
