import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import PouchClient
import PouchHTTP
import PouchServer
import ServerTesting
import Synchronization
import Testing

/// Passes requests of the SDK to the router of a server, without a socket.
struct InProcessTransport: Transport {
    private let responder: RouterResponder<PouchRequestContext>

    init(_ shop: ShopApplication) { responder = shop.router.buildResponder() }

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        do {
            return StreamedResponse(try await respond(to: request))
        } catch { throw .connectionLost("\(error)") }
    }

    private func respond(to request: NetworkRequest) async throws -> NetworkResponse {
        var fields = HTTPFields()
        for field in request.headers.fields {
            if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
        }
        let query = request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        let head = HTTPRequest(
            method: HTTPRequest.Method(request.method) ?? .get, scheme: "http", authority: "shop",
            path: request.url.path(percentEncoded: true) + query, headerFields: fields)
        var logger = Logger(label: "shop")
        logger.logLevel = .critical
        logger[metadataKey: "hb.request.id"] = "\(UUID().uuidString)"
        let context = PouchRequestContext(source: .init(channel: NIOAsyncTestingChannel(), logger: logger))
        let response = try await responder.respond(
            to: Request(head: head, body: .init(buffer: ByteBuffer(bytes: request.body ?? Data()))), context: context)
        let writer = CollectedBody()
        try await response.body.write(writer)
        return NetworkResponse(
            status: response.status.code,
            headers: HeaderFields(response.headers.map { .init(name: $0.name.rawName, value: $0.value) }),
            data: writer.data)
    }
}

/// Collects the body of a response in memory.
private final class CollectedBody: ResponseBodyWriter, Sendable {
    private let bytes = Mutex(ByteBuffer())

    var data: Data { bytes.withLock { Data($0.readableBytesView) } }

    func write(_ buffer: ByteBuffer) async throws {
        bytes.withLock { bytes in
            var buffer = buffer
            bytes.writeBuffer(&buffer)
        }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

// MARK: - A web server

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

/// Serves a router on a free port while the closure runs.
func serve<Value: Sendable>(
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
