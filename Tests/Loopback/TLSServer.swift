import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A server on 127.0.0.1 that presents `TestCertificate.server` and gives the same answer to each request, of which it
/// reads the first bytes. Then it closes the connection.
public final class TLSServer: Sendable {
    public static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"

    private let listener: Listener
    private let count: Count

    /// - Parameter latest: the latest version of TLS that the server speaks.
    public init(answer: String = TLSServer.ok, latest: TLSVersion? = nil) async throws {
        let certificate = try NIOSSLCertificate(bytes: Array(TestCertificate.server), format: .der)
        let key = try NIOSSLPrivateKey(bytes: Array(TestCertificate.serverKey), format: .der)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
        configuration.maximumTLSVersion = latest
        let context = try NIOSSLContext(configuration: configuration)
        let count = Count()
        listener = try await Listener { channel in
            try channel.pipeline.syncOperations.addHandlers(
                NIOSSLServerHandler(context: context), Answer(Data(answer.utf8), count))
        }
        self.count = count
    }

    /// The number of answers so far.
    public var answers: Int { count.value.load(ordering: .relaxed) }

    public func url(_ path: String = "/") throws -> URL {
        try listener.url("https", path)
    }
}

/// A server on 127.0.0.1 that gives the same answer to the first bytes of each connection, in any protocol. Then
/// it closes the connection.
public final class PlainServer: Sendable {
    private let listener: Listener

    public init(
        answer: Data = Data("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
    ) async throws {
        listener = try await Listener { try $0.pipeline.syncOperations.addHandler(Answer(answer, Count())) }
    }

    public func url(_ scheme: String, _ path: String = "/") throws -> URL {
        try listener.url(scheme, path)
    }
}

private final class Count: Sendable {
    let value = Atomic(0)
}

private final class Listener: Sendable {
    private let channel: any Channel

    init(_ setUp: @escaping @Sendable (any Channel) throws -> Void) async throws {
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in channel.eventLoop.makeCompletedFuture { try setUp(channel) } }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    deinit {
        channel.close(promise: nil)
    }

    func url(_ scheme: String, _ path: String) throws -> URL {
        guard let url = URL(string: "\(scheme)://127.0.0.1:\(channel.localAddress?.port ?? 0)\(path)") else {
            throw POSIXError(.EINVAL)
        }
        return url
    }
}

private final class Answer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: Data
    private let count: Count

    init(_ answer: Data, _ count: Count) {
        self.answer = answer
        self.count = count
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        count.value.add(1, ordering: .relaxed)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer)), promise: nil)
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// Self-signed certificates for 127.0.0.1, valid until 2126. Their keys protect nothing.
public enum TestCertificate {
    public static let server = bytes(
        "MIIBnzCCAUWgAwIBAgIUHuA0rBLlNaqBeU7ZxpWwEN+glHQwCgYIKoZIzj0EAwIwFjEUMBIGA1UEAwwLUG91Y2ggdGVzdHMwIBcN"
            + "MjYxMTIxMTE0MzE5WhgPMjEyNjEwMjgxMTQzMTlaMBYxFDASBgNVBAMMC1BvdWNoIHRlc3RzMFkwEwYHKoZIzj0CAQYIKoZIzj0D"
            + "AQcDQgAEG+wsGXGSToqQXOMB6jLTWsDrYHMNX482fxmsu2/FV85P5RLNUhBepEwIdH5J7Yd4d81czW30oIJZSu5bpncNaqNvMG0w"
            + "HQYDVR0OBBYEFBGjqNZj8A9SyE0KYRBQmD4IKHy0MB8GA1UdIwQYMBaAFBGjqNZj8A9SyE0KYRBQmD4IKHy0MA8GA1UdEwEB/wQF"
            + "MAMBAf8wGgYDVR0RBBMwEYcEfwAAAYIJbG9jYWxob3N0MAoGCCqGSM49BAMCA0gAMEUCIFQWEn4DOH6PngNyTLy+RpdTc5G3sqtQ"
            + "8RdRa+7V16YdAiEAgTcwTlDYMPOMIlZVEZcZ16NS463oSaFd4MapWS0CpOE=")
    public static let serverKey = bytes(
        "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggNnQjONHaYMSvXSqkYrrjuCJztp3VlzcZrRPGODa66qhRANCAAQb"
            + "7CwZcZJOipBc4wHqMtNawOtgcw1fjzZ/Gay7b8VXzk/lEs1SEF6kTAh0fknth3h3zVzNbfSggllK7lumdw1q")
    /// The server's public key, as openssl extracts it from the certificate.
    public static let serverPublicKey = bytes(
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEG+wsGXGSToqQXOMB6jLTWsDrYHMNX482fxmsu2/FV85P5RLNUhBepEwIdH5J7Yd4"
            + "d81czW30oIJZSu5bpncNag==")
    public static let other = bytes(
        "MIIBnzCCAUWgAwIBAgIUa422vgatGrmAhL0W9DS/fa7ZWT4wCgYIKoZIzj0EAwIwFjEUMBIGA1UEAwwLUG91Y2ggdGVzdHMwIBcN"
            + "MjYxMTIxMTE0MzE5WhgPMjEyNjEwMjgxMTQzMTlaMBYxFDASBgNVBAMMC1BvdWNoIHRlc3RzMFkwEwYHKoZIzj0CAQYIKoZIzj0D"
            + "AQcDQgAEWAArbb5JHfMWBZcN2h4RYG4hE+7OB+lxuaFm6FHo8IymMPqnW2b3QbuOTRVGs0Wz/D1J/Khanr3vDnIMLnPMT6NvMG0w"
            + "HQYDVR0OBBYEFGK1QdVyMpPZV+abVv0zewNHSRayMB8GA1UdIwQYMBaAFGK1QdVyMpPZV+abVv0zewNHSRayMA8GA1UdEwEB/wQF"
            + "MAMBAf8wGgYDVR0RBBMwEYcEfwAAAYIJbG9jYWxob3N0MAoGCCqGSM49BAMCA0gAMEUCIGaKoyoearj2bU7NIUqzeoCTFDigtwjK"
            + "bNbBSLWVikCOAiEAwWhzfpzWCEvGvudN055cxR+Et9damMbLZbpVLKcGmpk=")

    /// Certificates in PEM, as an authority hands them out.
    public static func pem(_ certificates: Data...) -> String {
        certificates.map { certificate in
            let base64 = certificate.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            return "A comment\n-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
        }.joined()
    }

    private static func bytes(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }
}
