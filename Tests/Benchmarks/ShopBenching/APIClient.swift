import AsyncHTTPClient
import Benchmarking
import NIOCore
import NIOHTTP1

/// Sends requests of the API to a server.
public struct APIClient: Sendable {
    public let http: HTTPClient
    private let url: String

    public init(_ url: String, _ http: HTTPClient = HTTPClient()) { (self.http, self.url) = (http, url) }
    public func shutdown() async throws { try await http.shutdown() }

    public func request(_ method: HTTPMethod, _ path: String, token: String? = nil) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url + path)
        request.method = method
        if let token { request.headers.add(name: "Authorization", value: "Bearer " + token) }
        return request
    }

    /// - Returns: The body of the response.
    /// - Throws: `BenchError` for the status of an error.
    public func send(
        _ method: HTTPMethod, _ path: String, _ body: Data? = nil, headers: [String: String] = [:], token: String? = nil
    ) async throws -> Data {
        let (status, data) = try await answer(method, path, body, headers: headers, token: token)
        guard (200..<300).contains(status.code) else {
            throw BenchError("\(method) \(path): \(status.code) \(String(decoding: data, as: UTF8.self))")
        }
        return data
    }

    /// - Parameter headers: those besides the content type of JSON, or instead of it.
    public func answer(
        _ method: HTTPMethod, _ path: String, _ body: Data? = nil, headers: [String: String] = [:], token: String? = nil
    ) async throws -> (status: HTTPResponseStatus, body: Data) {
        var request = request(method, path, token: token)
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        let response = try await http.execute(request, timeout: .seconds(120))
        return (response.status, Data(try await response.body.collect(upTo: 1 << 22).readableBytesView))
    }
}
