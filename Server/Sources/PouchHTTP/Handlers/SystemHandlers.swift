import Hummingbird
import Logging
import PouchContract
import PouchDomain
import PouchWire

/// Health checks and the OpenAPI document.
struct SystemHandlers {
    let readiness: Readiness
    let digests: any Digests

    func live(_ call: OpenCall<Void>) -> Health { Health(.live) }

    func ready(_ call: OpenCall<Void>) async throws -> Health {
        do {
            try await readiness.confirm()
        } catch {
            call.context.logger.error("not ready", metadata: ["error": "\(String(reflecting: error))"])
            var problem = RequestProblem(.unavailable, "The database cannot be reached, or accepts no changes.")
            problem.retryAfterSeconds = 1
            throw problem
        }
        return Health(.ready)
    }

    /// Not made at the start, which describing the contract would delay. `OpenAPI` keeps the bytes after the first
    /// request; each request computes their digest.
    func openAPI(_ call: OpenCall<Void>) throws -> Response {
        try PublicAnswer(bytes: OpenAPI.bytes(), cacheControl: "public, max-age=300", digests: digests)
            .response(to: call.request)
    }
}

/// Confirms that the store accepts changes, by a transaction at most once a second, however many ask.
actor Readiness {
    /// The store has not answered in time.
    struct Silence: Error {}

    private static let interval = Duration.seconds(1)
    private static let patience = Duration.seconds(3)

    private let store: any Store
    private var last: (at: ContinuousClock.Instant, result: Result<Void, any Error>)?
    private var asking: Task<Result<Void, any Error>, Never>?

    init(_ store: any Store) {
        self.store = store
    }

    /// - Throws: the store's error, or `Silence`.
    func confirm() async throws {
        if let last, last.at.duration(to: .now) < Self.interval { return try last.result.get() }
        let asking = asking ?? Task { await Self.ask(store) }
        self.asking = asking
        let result = await asking.value
        if self.asking == asking {
            self.asking = nil
            last = (.now, result)
        }
        try result.get()
    }

    /// A transaction that hangs cannot be cancelled, so its result is not waited for.
    private static func ask(_ store: any Store) async -> Result<Void, any Error> {
        let (results, result) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
        Task {
            do {
                try await store.write(.readCommitted) { try $0.confirmWritable() }
                result.yield(.success(()))
            } catch {
                result.yield(.failure(error))
            }
        }
        let timer = Task {
            try await Task.sleep(for: patience)
            result.yield(.failure(Silence()))
        }
        defer { timer.cancel() }
        for await first in results { return first }
        return .failure(Silence())
    }
}
