import AsyncHTTPClient
import NIOCore
import NIOHTTP1

extension HTTPClient.Configuration {
    /// The configuration for requests to a peer that may answer with anything; redirects are answers.
    public static var toPeer: Self {
        var configuration = Self(redirectConfiguration: .disallow)
        configuration.http1_1ConnectionDebugInitializer = { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                try pipeline.addHandler(PeerStatusCheck(), position: .after(decoder))
            }
        }
        return configuration
    }
}

/// Closes the connection to a peer whose answer has a status below 100. AsyncHTTPClient treats such a head as an
/// interim one, and ends the process at the end of the answer.
private final class PeerStatusCheck: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private var isRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data), head.status.code < 100 {
            isRefused = true
            context.fireErrorCaught(HTTPParserError.invalidStatus)
            context.close(promise: nil)
        }
        if !isRefused { context.fireChannelRead(data) }
    }
}
