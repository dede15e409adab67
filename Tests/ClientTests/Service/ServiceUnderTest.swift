import Foundation
import PouchNetwork
import PouchService

/// A service over a stub, at `Fixture.now`.
func makeService(
    over transport: any Transport, store: any SessionStore = MemorySessionStore(), requestLimit: Int = 1_000
) throws -> PouchService {
    guard let server = URL(string: "http://127.0.0.1") else { throw CocoaError(.fileNoSuchFile) }
    return PouchService(
        server: server, transport: transport, sessionStore: store, requestLimit: requestLimit,
        now: { Fixture.now }, makeKey: { "made-key" })
}
