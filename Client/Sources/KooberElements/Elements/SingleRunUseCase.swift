/// A use case that is written down as the steps of its run. Nobody has to hold it for the run to go on.
@MainActor
public protocol SingleRunUseCase: UseCase {
    var run: UseCaseRun { get }
    /// Called once at most.
    func begin()
}

extension SingleRunUseCase {
    public func start() { run.begin(self) }
}

extension Cancelable where Self: SingleRunUseCase {
    public func cancel() { run.cancel() }
}
