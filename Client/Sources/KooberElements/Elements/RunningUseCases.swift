/// The use cases that were started for one screen, and are cancelled with it.
@MainActor
final class RunningUseCases {
    private struct Started {
        // A run holds its use case until its end, and there is nothing to cancel after that.
        weak var useCase: (any CancelableUseCase)?
    }

    private var started: [Started] = []

    /// Beside those that run: whether it may is for the use case to know.
    func start(_ useCase: any CancelableUseCase) {
        started.removeAll { $0.useCase == nil }
        started.append(Started(useCase: useCase))
        useCase.start()
    }

    /// In the place of those that run.
    func replace(by useCase: any CancelableUseCase) {
        cancel()
        start(useCase)
    }

    func cancel() {
        let useCases = started.compactMap(\.useCase)
        started = []
        for useCase in useCases { useCase.cancel() }
    }
}
