import Foundation
import PouchNetwork

/// Adds the name of the device to each request of another transport.
struct NamedTransport: Transport {
    let name: String
    let next: any Transport

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        var request = request
        request.headers["User-Agent"] = name
        return try await next.send(request)
    }
}

/// The part of an HTTP library that the transport uses.
nonisolated protocol WebLibrary: Sendable {
    func open(_ url: URL, method: String, headers: [(String, String)], body: Data?) async throws -> any WebAnswer
}

/// A response whose body is read in pieces.
nonisolated protocol WebAnswer: Sendable {
    var status: Int { get }
    var headers: [(String, String)] { get }
    func nextPiece() async throws -> Data?
}

enum WebFailure: Error {
    case noConnection
    case connectionBroke
    case wrongCertificate
}

struct LibraryTransport: Transport {
    let library: any WebLibrary

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        try request.checkAddress()
        try request.checkHead()
        guard request.upload == nil else { throw .failed("this transport sends no files") }
        do {
            let answer = try await library.open(
                request.url, method: request.method,
                headers: request.headers.fields.map { ($0.name, $0.value) }, body: request.body)
            let body = NetworkBody { () throws(NetworkError) in
                do {
                    return try await answer.nextPiece()
                } catch {
                    throw NetworkError(ofLibrary: error)
                }
            }
            return StreamedResponse(
                status: answer.status,
                headers: HeaderFields(answer.headers.map { HeaderFields.Field(name: $0.0, value: $0.1) }),
                body: body)
        } catch {
            throw NetworkError(ofLibrary: error)
        }
    }
}

extension NetworkError {
    nonisolated init(ofLibrary error: any Error) {
        switch error {
        case is CancellationError: self = .cancelled
        case WebFailure.noConnection: self = .unreachable("no connection")
        case WebFailure.connectionBroke: self = .connectionLost("the connection broke")
        case WebFailure.wrongCertificate: self = .untrusted("the certificate is wrong")
        default: self = .failed("\(type(of: error))")
        }
    }
}

func fetch(_ url: URL, over transport: any Transport) async throws(NetworkError) -> Data {
    let session = NetworkSession(transport, retries: RetryPolicy())
    let operation = NetworkOperation(NetworkRequest(url: url), in: session) { $0 == 200 }
    let payload = await operation.run()
    if let error = payload.error { throw error }
    return payload.data ?? Data()
}
