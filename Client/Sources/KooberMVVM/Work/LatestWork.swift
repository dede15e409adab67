import KooberKit

/// Work of which only the latest counts: what was begun before it is cancelled and not heard of again, and so is the latest
/// when its owner goes.
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
        begin {
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
        begin {
            do {
                for try await element in elements {
                    guard !Task.isCancelled else { return }
                    receive(element)
                    // Several may wait; views are to show each.
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

    private func begin(_ work: @escaping @MainActor () async -> Void) {
        task?.cancel()
        task = Task {
            // One that was cancelled before it began asks nobody.
            if !Task.isCancelled { await work() }
        }
    }
}
