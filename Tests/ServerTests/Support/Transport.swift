import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Synchronization

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
                try await client.answer(method, uri, headers, body)
            }
        }
    }

    /// To ports of this machine, over connections that stay open. Requests take them in turn, and none waits for the
    /// answer to another before it is sent.
    static func connections(
        _ count: Int, ports: [Int], _ body: @Sendable (Transport) async throws -> Void
    ) async throws {
        let clients = (0..<count).map {
            TestClient(
                host: "127.0.0.1", port: ports[$0 % ports.count], configuration: .init(timeout: .seconds(120)))
        }
        for client in clients { client.connect() }
        let turn = Turn()
        let result: Result<Void, any Error>
        do {
            try await body(
                Transport { method, uri, headers, body in
                    try await clients[turn.next() % count].answer(method, uri, headers, body)
                })
            result = .success(())
        } catch {
            result = .failure(error)
        }
        for client in clients { try await client.shutdown() }
        try result.get()
    }
}

extension TestClient {
    fileprivate func answer(
        _ method: HTTPRequest.Method, _ uri: String, _ headers: HTTPFields, _ body: Data?
    ) async throws -> RawAnswer {
        let response = try await execute(
            Request(
                uri, method: method, authority: "127.0.0.1", headers: headers,
                body: body.map { ByteBuffer(bytes: $0) }))
        return RawAnswer(
            status: response.status.code, headers: response.headers,
            body: Data(response.body?.readableBytesView ?? ByteBufferView()))
    }
}

private final class Turn: Sendable {
    private let number = Atomic(0)

    func next() -> Int { number.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// An answer as it came.
struct RawAnswer: Sendable {
    let status: Int
    let headers: HTTPFields
    let body: Data
}
