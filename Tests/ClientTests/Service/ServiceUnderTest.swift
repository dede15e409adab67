import Foundation
import PouchNetwork
import PouchService

/// A service over a stub, at `Fixture.now`; it sends each request once, unless a test says otherwise.
func makeService(
    over transport: any Transport, store: any SessionStore = MemorySessionStore(), retries: RetryPolicy = .once,
    clock: any Clock<Duration> = ContinuousClock(), requestLimit: Int = 1_000
) throws -> PouchService {
    guard let server = URL(string: "http://127.0.0.1") else { throw CocoaError(.fileNoSuchFile) }
    return PouchService(
        server: server, transport: transport, sessionStore: store, retries: retries,
        requestLimit: requestLimit, clock: clock, now: { Fixture.now }, makeKey: { "made-key" })
}
