import KooberKit

/// Asynchronous work that new work replaces.
///
/// Starting new work, or deallocating this object, cancels earlier work and drops its result.
@MainActor
final class LatestWork {
    private var task: Task<Void, Never>?

    deinit {
        task?.cancel()
    }

    func call<Answer: Sendable>(
        _ work: @escaping @Sendable () async throws(ErrorMessage) -> Answer,
        then finish: @escaping @MainActor (Result<Answer, ErrorMessage>) -> Void
    ) {
        replace {
            let result: Result<Answer, ErrorMessage>
            do throws(ErrorMessage) {
                result = .success(try await work())
            } catch {
                result = .failure(error)
            }
            if !Task.isCancelled { finish(result) }
        }
    }

    func follow<Elements: AsyncSequence & Sendable>(
        _ elements: Elements,
        each receive: @escaping @MainActor (Elements.Element) -> Void,
        failed fail: @escaping @MainActor (any Error) -> Void = { _ in }
    ) where Elements.Element: Sendable {
        replace {
            do {
                for try await element in elements {
                    guard !Task.isCancelled else { return }
                    receive(element)
                    // Several elements may be waiting, and the views have to show each.
                    await Task.yield()
                }
            } catch {
                if !Task.isCancelled { fail(error) }
            }
        }
    }

    func cancel() {
        task?.cancel()
        task = nil
    }

    private func replace(by work: @escaping @MainActor () async -> Void) {
        task?.cancel()
        task = Task {
            // Work that is cancelled before its first turn must not call the model layer.
            if !Task.isCancelled { await work() }
        }
    }
}
