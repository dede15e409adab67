import Foundation
import Hummingbird
import Logging
import NIOCore
import PouchWire
import Subprocess
import SystemPackage

/// A server of ready bytes: one product, a page of 50, and a catalogue page by page. It is a process of its own, so that
/// it shares nothing with what is measured but the machine.
enum ConstantServer {
    static let products = 10_000
    static let pageSize = 200

    static func serve() async throws {
        let product = try json(SampleProducts.product(1))
        let page = try json(SampleProducts.page(0..<50))
        let catalogue = try stride(from: 0, to: products, by: pageSize).map { start in
            let next = start + pageSize
            return try json(
                SampleProducts.page(start..<next, nextCursor: next < products ? String(next / pageSize) : nil))
        }
        let router = Router()
        router.get("v1/products/:handle") { _, _ in answer(product) }
        router.get("v1/products") { request, _ in
            if request.uri.queryParameters["limit"] == "50" { return answer(page) }
            let cursor = request.uri.queryParameters["cursor"].flatMap { Int($0) } ?? 0
            return answer(catalogue[min(cursor, catalogue.count - 1)])
        }
        for list in ["seasons", "themes", "categories", "promotions"] {
            router.get("v1/\(list)") { _, _ in answer(ByteBuffer(string: #"{"items":[]}"#)) }
        }
        var logger = Logger(label: "bench")
        logger.logLevel = .critical
        try await Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                print("http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
                fflush(nil)
            }, logger: logger
        ).runService()
    }

    /// This program again, as the server; it ends with the closure.
    static func running<Value: Sendable>(_ body: @escaping @Sendable (URL) async throws -> Value) async throws -> Value
    {
        let result = try await Subprocess.run(
            .path(FilePath(CommandLine.arguments[0])), arguments: ["serve"], input: .none, output: .sequence,
            error: .discarded
        ) { execution in
            defer { try? execution.send(signal: .kill) }
            for try await line in execution.standardOutput.strings() {
                if let url = URL(string: line.trimmingCharacters(in: .whitespacesAndNewlines)) {
                    return try await body(url)
                }
            }
            throw BenchServerDidNotStart()
        }
        return result.closureResult
    }

    private static func json(_ value: some Encodable) throws -> ByteBuffer {
        ByteBuffer(bytes: try WireJSON.encode(value))
    }

    private static func answer(_ bytes: ByteBuffer) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: bytes))
    }
}

struct BenchServerDidNotStart: Error {}
