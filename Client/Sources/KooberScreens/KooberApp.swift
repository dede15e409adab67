/// The whole app, in any architecture, as its user and its tests see it.
@MainActor
public protocol KooberApp: AnyObject {
    /// nil before `start`.
    var screen: KooberScreen? { get }
    /// Yields the present screen and each later one. None is left out, and none is repeated.
    func screens() -> AsyncStream<KooberScreen>
    /// Launches the app. Does nothing the second time.
    func start()
    /// - Throws: `UnofferedIntention` if the screen does not offer the intention. Nothing changes then.
    func perform(_ intention: Intention) throws(UnofferedIntention)
}

/// The error of an intention that the screen does not offer.
public struct UnofferedIntention: Error, Hashable, Sendable {
    public let intention: Intention
    public let screen: KooberScreen?

    public init(_ intention: Intention, on screen: KooberScreen?) {
        self.intention = intention
        self.screen = screen
    }
}

/// Publishes screens to any number of streams, and leaves out repetitions.
@MainActor
public final class ScreenStreams {
    private struct Subscriber {
        let continuation: AsyncStream<KooberScreen>.Continuation
        var last: KooberScreen?
    }

    private var subscribers: [Int: Subscriber] = [:]
    private var lastID = 0

    public init() {}

    deinit {
        for subscriber in subscribers.values { subscriber.continuation.finish() }
    }

    /// Returns a stream that finishes when this object is deallocated.
    /// - Parameter screen: the first element.
    public func stream(from screen: KooberScreen?) -> AsyncStream<KooberScreen> {
        let (stream, continuation) = AsyncStream.makeStream(of: KooberScreen.self)
        lastID += 1
        let id = lastID
        subscribers[id] = Subscriber(continuation: continuation, last: screen)
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.subscribers[id] = nil }
        }
        if let screen { continuation.yield(screen) }
        return stream
    }

    public func show(_ screen: KooberScreen) {
        for (id, subscriber) in subscribers where subscriber.last != screen {
            subscribers[id]?.last = screen
            subscriber.continuation.yield(screen)
        }
    }
}
