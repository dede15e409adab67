import KooberElements
import KooberKit

/// Counts the interruptions of the connection, for a status line or a log.
///
///     let log = ConnectionLog(observer: connectivityObserver)
///     connectivityObserver.deliver(to: log)
///     log.isLogging = true
///
/// It is not a controller, and has no user interface and no use cases. It uses one element, an observer, because that
/// controls when events arrive: not before it is started, and never after it is stopped. The observer holds this object
/// weakly, so no cleanup is needed when it is released.
///
/// The object knows only the protocol. A test calls `connectivityDidChange` itself and needs no connection.
@MainActor
public final class ConnectionLog: ConnectivityEventResponder {
    public private(set) var interruptions = 0
    private var wasOnline = true
    private let observer: any Observer

    public init(observer: any Observer) {
        self.observer = observer
    }

    public var isLogging = false {
        didSet { if isLogging { observer.startObserving() } else { observer.stopObserving() } }
    }

    public func connectivityDidChange(isOnline: Bool) {
        if wasOnline, !isOnline { interruptions += 1 }
        wasOnline = isOnline
    }
}
