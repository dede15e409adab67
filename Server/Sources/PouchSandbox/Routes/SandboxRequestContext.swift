import Foundation
import Hummingbird
import NIOCore

/// What is known of a request beside itself.
struct SandboxRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection, which a lost answer takes along.
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// The idempotency key in the path.
    ///
    /// - Throws: `SandboxProblem` when it cannot be one.
    func key() throws -> String {
        try IdempotencyKey.checked(parameters.get("key")?.removingPercentEncoding ?? "")
    }
}
