import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// Turns errors into problem+json responses.
struct SandboxProblemMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: SandboxRequestContext,
        next: (Request, SandboxRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            return SandboxProblem(error, logger: context.logger).response
        }
    }
}

/// Refuses requests without the right bearer key.
struct BearerKeyMiddleware: RouterMiddleware {
    private let expected: SHA256.Digest

    init(key: String) {
        expected = Self.digest("Bearer " + key)
    }

    func handle(
        _ request: Request, context: SandboxRequestContext,
        next: (Request, SandboxRequestContext) async throws -> Response
    ) async throws -> Response {
        // Digests have one length and are compared in constant time.
        guard let sent = request.headers[.authorization], Self.digest(sent) == expected else {
            throw SandboxProblem(.unauthenticated)
        }
        return try await next(request, context)
    }

    private static func digest(_ text: String) -> SHA256.Digest {
        SHA256.hash(data: Data(text.utf8))
    }
}

/// Refuses requests that name another ledger, before anything is booked.
struct LedgerMiddleware: RouterMiddleware {
    let provider: SandboxProvider

    func handle(
        _ request: Request, context: SandboxRequestContext,
        next: (Request, SandboxRequestContext) async throws -> Response
    ) async throws -> Response {
        if let name = HTTPField.Name(LedgerHead.headerName), let id = request.headers[name] {
            try provider.checkLedger(id)
        }
        return try await next(request, context)
    }
}
