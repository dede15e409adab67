import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// A server on 127.0.0.1 that presents `TestCertificate.server` and answers 200 to the first bytes it decrypts.
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

/// Self-signed certificates for 127.0.0.1, valid until 2126. Their keys protect nothing.
enum TestCertificate {
    static let server = bytes(
        "MIIBnzCCAUWgAwIBAgIUHuA0rBLlNaqBeU7ZxpWwEN+glHQwCgYIKoZIzj0EAwIwFjEUMBIGA1UEAwwLUG91Y2ggdGVzdHMwIBcN"
            + "MjYxMTIxMTE0MzE5WhgPMjEyNjEwMjgxMTQzMTlaMBYxFDASBgNVBAMMC1BvdWNoIHRlc3RzMFkwEwYHKoZIzj0CAQYIKoZIzj0D"
            + "AQcDQgAEG+wsGXGSToqQXOMB6jLTWsDrYHMNX482fxmsu2/FV85P5RLNUhBepEwIdH5J7Yd4d81czW30oIJZSu5bpncNaqNvMG0w"
            + "HQYDVR0OBBYEFBGjqNZj8A9SyE0KYRBQmD4IKHy0MB8GA1UdIwQYMBaAFBGjqNZj8A9SyE0KYRBQmD4IKHy0MA8GA1UdEwEB/wQF"
            + "MAMBAf8wGgYDVR0RBBMwEYcEfwAAAYIJbG9jYWxob3N0MAoGCCqGSM49BAMCA0gAMEUCIFQWEn4DOH6PngNyTLy+RpdTc5G3sqtQ"
            + "8RdRa+7V16YdAiEAgTcwTlDYMPOMIlZVEZcZ16NS463oSaFd4MapWS0CpOE=")
    static let serverKey = bytes(
        "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggNnQjONHaYMSvXSqkYrrjuCJztp3VlzcZrRPGODa66qhRANCAAQb"
            + "7CwZcZJOipBc4wHqMtNawOtgcw1fjzZ/Gay7b8VXzk/lEs1SEF6kTAh0fknth3h3zVzNbfSggllK7lumdw1q")
    /// The server's public key, as openssl extracts it from the certificate.
    static let serverPublicKey = bytes(
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEG+wsGXGSToqQXOMB6jLTWsDrYHMNX482fxmsu2/FV85P5RLNUhBepEwIdH5J7Yd4"
            + "d81czW30oIJZSu5bpncNag==")
    static let other = bytes(
        "MIIBnzCCAUWgAwIBAgIUa422vgatGrmAhL0W9DS/fa7ZWT4wCgYIKoZIzj0EAwIwFjEUMBIGA1UEAwwLUG91Y2ggdGVzdHMwIBcN"
            + "MjYxMTIxMTE0MzE5WhgPMjEyNjEwMjgxMTQzMTlaMBYxFDASBgNVBAMMC1BvdWNoIHRlc3RzMFkwEwYHKoZIzj0CAQYIKoZIzj0D"
            + "AQcDQgAEWAArbb5JHfMWBZcN2h4RYG4hE+7OB+lxuaFm6FHo8IymMPqnW2b3QbuOTRVGs0Wz/D1J/Khanr3vDnIMLnPMT6NvMG0w"
            + "HQYDVR0OBBYEFGK1QdVyMpPZV+abVv0zewNHSRayMB8GA1UdIwQYMBaAFGK1QdVyMpPZV+abVv0zewNHSRayMA8GA1UdEwEB/wQF"
            + "MAMBAf8wGgYDVR0RBBMwEYcEfwAAAYIJbG9jYWxob3N0MAoGCCqGSM49BAMCA0gAMEUCIGaKoyoearj2bU7NIUqzeoCTFDigtwjK"
            + "bNbBSLWVikCOAiEAwWhzfpzWCEvGvudN055cxR+Et9damMbLZbpVLKcGmpk=")

    private static func bytes(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }
}
