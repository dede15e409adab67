/// Asynchronous work that new work replaces.
///
/// Starting new work, or releasing this object, cancels the earlier work and discards its results:
///
///     searching.run(for: self) { [locationRepository] current in
///         do {
///             let found = try await locationRepository.searchForLocations(using: query, near: pickupLocation)
///             current()?.results = found
///         } catch {
///             current()?.errors.append(error)
///         }
///     }
@MainActor
public final class LatestTask {
    private var task: Task<Void, Never>?

    public init() {}

    deinit {
        task?.cancel()
    }

    /// - Parameters:
    ///   - owner: the object that the work changes. It is held weakly, so that releasing it ends the work.
    ///   - work: starts in a later turn of the main actor, unless it is cancelled before. It must not capture `owner`.
    public func run<Owner: AnyObject>(
        for owner: Owner, _ work: @escaping @MainActor (CurrentOwner<Owner>) async -> Void
    ) {
        let current = CurrentOwner(owner)
        task?.cancel()
        task = Task {
            if current() != nil { await work(current) }
        }
    }

    public func cancel() {
        task?.cancel()
        task = nil
    }
}

/// The owner of work, while the work is current.
@MainActor
public struct CurrentOwner<Owner: AnyObject> {
    private weak var owner: Owner?

    init(_ owner: Owner) {
        self.owner = owner
    }

    /// Returns nil once the work is cancelled or its owner released. The work must not keep the result while it waits.
    public func callAsFunction() -> Owner? {
        Task.isCancelled ? nil : owner
    }
}
