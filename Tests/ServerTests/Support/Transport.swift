import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore

/// How requests get to a server.
struct Transport: Sendable {
    private let send: @Sendable (HTTPRequest.Method, String, HTTPFields, Data?) async throws -> RawAnswer

    func callAsFunction(
        _ method: HTTPRequest.Method, _ uri: String, _ headers: HTTPFields, _ body: Data?
    ) async throws -> RawAnswer {
        try await send(method, uri, headers, body)
    }

    /// To a server within this process.
    static func client(_ client: any TestClientProtocol) -> Transport {
        Transport { method, uri, headers, body in
            let response = try await client.executeRequest(
                uri: uri, method: method, headers: headers, body: body.map { ByteBuffer(bytes: $0) })
            return RawAnswer(
                status: response.status.code, headers: response.headers, body: Data(response.body.readableBytesView))
        }
    }

    /// To a port of this machine, with a connection for each request.
    static func tcp(port: Int) -> Transport {
        Transport { method, uri, headers, body in
            try await TestClient.withClient(host: "127.0.0.1", port: port) { client in
                let response = try await client.execute(
                    TestClient.Request(
                        uri, method: method, authority: "127.0.0.1:\(port)", headers: headers,
                        body: body.map { ByteBuffer(bytes: $0) }))
                return RawAnswer(
                    status: response.status.code, headers: response.headers,
                    body: Data(response.body?.readableBytesView ?? ByteBufferView()))
            }
        }
    }
}

/// An answer as it came.
struct RawAnswer: Sendable {
    let status: Int
    let headers: HTTPFields
    let body: Data
}
