import Foundation
import NIOCore

/// Runs something that listens, and says in words what keeps it from listening.
func listening(on host: String, _ port: Int, _ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
        throw Failure("\(host):\(port) is taken by another program. Choose another --port.")
    } catch let error as IOError where error.errnoCode == EACCES {
        throw Failure("You may not listen on port \(port). Choose one above 1023.")
    }
}
