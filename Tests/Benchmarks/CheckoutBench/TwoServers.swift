import Foundation
import Logging
import PouchDomain
import PouchSandbox
import PouchServer
import ServerTesting
import ShopBenching

extension BenchShop {
    /// Serves the shop by two servers while the closure runs: one with a sandbox provider in its process, and one that
    /// calls another sandbox provider over HTTP, as with `--payments`.
    func run(
        _ body: @Sendable (_ inProcess: RunningShop, _ overHTTP: RunningShop) async throws -> Void
    ) async throws {
        let folder = folder
        let inProcess = try configuration()
        let ledger = try await SandboxLedger(path: folder.appending(path: "payments-over-http.sqlite").path)
        try await withSandbox(ledger, logLevel: .error) { port in
            guard let address = PeerAddress("http://127.0.0.1:\(port)") else { throw CancellationError() }
            try await Self.serve(inProcess, in: folder) { first in
                var overHTTP = inProcess
                overHTTP.payments = .service(address, key: nil)
                try await Self.serve(overHTTP, in: folder) { try await body(first, $0) }
            }
        }
    }

    /// Serves the shop by two servers while the closure runs, of which the second stores no events.
    func runWithoutEvents(
        _ body: @Sendable (_ whole: RunningShop, _ withoutEvents: RunningShop) async throws -> Void
    ) async throws {
        let (folder, whole) = (folder, try configuration())
        try await Self.serve(whole, in: folder) { first in
            var withoutEvents = whole
            withoutEvents.instrument = { EventlessDatabase($0) }
            try await Self.serve(withoutEvents, in: folder) { try await body(first, $0) }
        }
    }
}
