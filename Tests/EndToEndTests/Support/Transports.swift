import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import PouchClient
import PouchHTTP
import PouchServer
import Synchronization

/// Passes requests of the SDK to the router of a server, without a socket.
struct InProcessTransport: Transport {
    private let responder: RouterResponder<PouchRequestContext>

    init(_ shop: ShopApplication) {
        responder = shop.router.buildResponder()
    }

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        do {
            return StreamedResponse(try await respond(to: request))
        } catch {
            throw .unreachable("\(error)")
        }
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

/// Answers with the files of a folder, like a web server.
struct FolderTransport: Transport {
    let folder: URL

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        guard let data = try? Data(contentsOf: folder.appending(path: request.url.path())) else {
            return StreamedResponse(NetworkResponse(status: 404))
        }
        return StreamedResponse(NetworkResponse(status: 200, data: data))
    }
}
