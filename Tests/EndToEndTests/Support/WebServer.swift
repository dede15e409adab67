import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServerTesting
import Testing

/// Serves the same JSON at every path while the closure runs.
func withWebServer<Value: Sendable>(
    answering json: String, _ body: @Sendable (URL) async throws -> Value
) async throws -> Value {
    let router = Router()
    router.get("**") { _, _ in
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(string: json)))
    }
    return try await serve(router, body)
}

/// Serves the files of a folder while the closure runs.
func withWebServer<Value: Sendable>(
    of folder: URL, _ body: @Sendable (URL) async throws -> Value
) async throws -> Value {
    let router = Router()
    router.addMiddleware { FileMiddleware(folder.path) }
    return try await serve(router, body)
}

private func serve<Value: Sendable>(
    _ router: Router<BasicRequestContext>, _ body: @Sendable (URL) async throws -> Value
) async throws -> Value {
    let (ports, ready) = AsyncStream.makeStream(of: Int.self)
    var logger = Logger(label: "web server")
    logger.logLevel = .critical
    let server = Application(
        router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { channel in ready.yield(channel.localAddress?.port ?? 0) }, logger: logger)
    return try await withServices([server], logger: logger) {
        let port = await ports.first { _ in true } ?? 0
        return try await body(#require(URL(string: "http://127.0.0.1:\(port)")))
    }
}
