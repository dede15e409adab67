import Synchronization

/// A place for one handler, which is set and read from any thread:
///
///     let onContact = HandlerSlot<@Sendable (Bool) -> Void>()
///     onContact.set { print($0) }
///     onContact.handler?(true)
package final class HandlerSlot<Handler: Sendable>: Sendable {
    /// A structure, because a bare closure is wrapped once more each time it is read from a Mutex.
    private struct Content {
        let handler: Handler
    }

    private let content = Mutex<Content?>(nil)

    package init() {}

    /// nil before the first `set`.
    package var handler: Handler? { content.withLock { $0 }?.handler }

    /// Replaces an earlier handler.
    package func set(_ handler: Handler) {
        let new = Content(handler: handler)
        // Releases the earlier handler outside the lock.
        _ = content.withLock { exchange(&$0, with: new) }
    }
}
