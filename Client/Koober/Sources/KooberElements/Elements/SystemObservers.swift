import KooberKit
import KooberScreens

// Observers of the system, which any controller can use. Their events do not show their origin.

@MainActor
public protocol ConnectivityEventResponder: AnyObject {
    func connectivityDidChange(isOnline: Bool)
}

/// Reports whether the service can be reached, at the start and after each change.
@MainActor
public final class ConnectivityObserver: Observer {
    private let observer: EventObserver<Bool>

    public init(_ source: any ConnectivitySource) {
        observer = EventObserver(StreamSource { source.connectivity() })
    }

    public func deliver(to responder: any ConnectivityEventResponder) {
        observer.deliver(to: responder) { $0.connectivityDidChange(isOnline: $1) }
    }

    public func startObserving() { observer.startObserving() }

    public func stopObserving() { observer.stopObserving() }
}

@MainActor
public protocol WindowSizeEventResponder: AnyObject {
    func windowDidResize(to size: WindowSize)
}

/// Reports the size of the window, at the start and after each change.
///
/// A window changes its size faster than it can be drawn while it is being dragged. Of the sizes that arrive while the
/// main actor is busy, only the latest is reported.
@MainActor
public final class WindowSizeObserver: Observer {
    private let observer: EventObserver<WindowSize>

    /// - Parameter sizes: returns the current size and each later one.
    public init(_ sizes: @escaping @MainActor () -> AsyncStream<WindowSize>) {
        observer = EventObserver(StreamSource(sizes))
    }

    public func deliver(to responder: any WindowSizeEventResponder) {
        observer.deliver(to: responder) { $0.windowDidResize(to: $1) }
    }

    public func startObserving() { observer.startObserving() }

    public func stopObserving() { observer.stopObserving() }
}
