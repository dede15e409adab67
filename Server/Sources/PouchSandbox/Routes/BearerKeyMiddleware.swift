import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// Lets in who knows the key.
struct BearerKeyMiddleware: RouterMiddleware {
    private let expected: SHA256.Digest

    init(key: String) {
        expected = Self.digest("Bearer " + key)
    }

    func handle(
        _ request: Request, context: SandboxRequestContext,
        next: (Request, SandboxRequestContext) async throws -> Response
    ) async throws -> Response {
        // Digests are compared in constant time, and have one length whatever is sent.
        guard let sent = request.headers[.authorization], Self.digest(sent) == expected else {
            throw SandboxProblem(.unauthenticated)
        }
        return try await next(request, context)
    }

    private static func digest(_ text: String) -> SHA256.Digest {
        SHA256.hash(data: Data(text.utf8))
    }
}
