import Hummingbird
import Logging
import PouchContract
import PouchDomain
import PouchOpenAPI
import PouchTelemetry
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
            let isFull = (error as? UnavailableError)?.isFull == true
            throw RequestProblem(
                .unavailable,
                isFull ? "The database's disk is full." : "The database does not accept changes at the moment.",
                retryAfterSeconds: 1)
        }
        return Health(.ready)
    }

    /// Creates the document on the first request, since describing the contract would delay the start. `OpenAPI` keeps
    /// the bytes; each request computes their digest.
    func openAPI(_ call: OpenCall<Void>) throws -> Response {
        try PublicAnswer(bytes: OpenAPI.bytes(), cacheControl: "public, max-age=300", digests: digests)
            .response(to: call.request)
    }
}

/// Confirms that the store accepts changes, with at most one transaction per second, however many clients ask.
actor Readiness {
    /// The store did not answer in time.
    struct Silence: Error {}

    private static let interval = Duration.seconds(1)
    /// Longer than a transaction waits for its turn in a busy store.
    private static let timeout = Duration.seconds(12)

    private let store: any Store
    private var last: (at: ContinuousClock.Instant, result: Result<Void, any Error>)?
    private var asking: (since: ContinuousClock.Instant, task: Task<Void, Never>)?

    init(_ store: any Store) {
        self.store = store
    }

    /// - Throws: the store's error, or `Silence`. A store that is overloaded accepts changes.
    func confirm() async throws {
        if let last, last.at.duration(to: .now) < Self.interval { return try last.result.get() }
        let (since, task) = asking ?? (.now, Task { await ask() })
        asking = (since, task)
        // A transaction that hangs cannot be cancelled. While it hangs, no other is started.
        try? await withTimeLimit(ContinuousClock.now.duration(to: since + Self.timeout)) { await task.value }
        guard let last, last.at >= since else { throw Silence() }
        try last.result.get()
    }

    private func ask() async {
        var result: Result<Void, any Error> = .success(())
        do {
            try await store.write(.readCommitted) { try $0.confirmWritable() }
        } catch is OverloadError {
        } catch {
            result = .failure(error)
        }
        last = (.now, result)
        asking = nil
    }
}
