import Logging
import PouchDomain
import ServiceLifecycle

/// Carries out, at start and from time to time, the imports that were received and those that a dead process left.
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
                        "an import has failed",
                        metadata: ["import": "\(failure.importId)", "error": "\(String(reflecting: failure.cause))"])
                    continue
                } catch {
                    logger.error(
                        "importing was interrupted; it will be tried again", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: interval)
            }
        }
    }
}
