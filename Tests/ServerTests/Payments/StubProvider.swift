import Foundation
import Hummingbird
import NIOCore
import PouchDomain
import PouchServer
import Testing

/// Something on a port of this machine that answers every request with what the test says.
enum StubProvider {
    static func serve(
        _ answer: @escaping @Sendable () async throws -> Response,
        _ body: @escaping @Sendable (HTTPPaymentProvider) async throws -> Void
    ) async throws {
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        let router = Router()
        router.on("**", method: .post) { _, _ in try await answer() }
        router.on("**", method: .get) { _, _ in try await answer() }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { ready.yield($0.localAddress?.port ?? 0) }, logger: .silent)
        try await application.run(while: {
            let port = try #require(await ports.first { _ in true })
            try await body(.on(port: port, timeLimit: .milliseconds(200)))
        })
    }
}

extension HTTPPaymentProvider {
    static func on(
        port: Int, key: String? = nil, timeLimit: Duration = HTTPPaymentProvider.timeLimit
    ) -> HTTPPaymentProvider {
        HTTPPaymentProvider(key: key, timeLimit: timeLimit) { () async throws(PaymentProviderError) in
            guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw .failed }
            return url
        }
    }
}
