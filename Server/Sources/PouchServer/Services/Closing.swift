import ServiceLifecycle

/// Closes something after all services that began later have ended.
struct Closing: Service {
    let close: @Sendable () async throws -> Void

    func run() async throws {
        try? await gracefulShutdown()
        try await close()
    }
}
