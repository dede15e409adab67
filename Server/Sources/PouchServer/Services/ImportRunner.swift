import Logging
import PouchDomain
import PouchImport
import ServiceLifecycle

/// Carries out received imports, and those that a process left unfinished, at start and at intervals.
struct ImportRunner: Service {
    let imports: ImportService
    let interval: Duration
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    if try await imports.resume() { continue }
                } catch is CancellationError {
                } catch let failure as ImportFailed {
                    logger.error(
                        "import failed",
                        metadata: ["import": "\(failure.importId)", "error": "\(String(reflecting: failure.cause))"])
                    continue
                } catch {
                    logger.error("importing was interrupted; retrying", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: interval)
            }
        }
    }
}
