import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// A server on 127.0.0.1 that shows `TestCertificate.server` and answers 200 to the first bytes that it can decrypt.
final class TLSServer: Sendable {
    private let channel: any Channel

    init() async throws {
        let certificate = try NIOSSLCertificate(bytes: Array(TestCertificate.server), format: .der)
        let key = try NIOSSLPrivateKey(bytes: Array(TestCertificate.serverKey), format: .der)
        let context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(certificate)], privateKey: .privateKey(key)))
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        NIOSSLServerHandler(context: context), AnswerOK())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    deinit {
        channel.close(promise: nil)
    }

    func url() throws -> URL {
        guard let url = URL(string: "https://127.0.0.1:\(channel.localAddress?.port ?? 0)/") else {
            throw POSIXError(.EINVAL)
        }
        return url
    }

    private final class AnswerOK: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let answer = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
            context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
            context.close(promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
