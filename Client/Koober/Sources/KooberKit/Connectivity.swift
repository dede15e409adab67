import PouchManagers

/// The connection to the service.
public protocol ConnectivitySource: AnyObject, Sendable {
    /// Yields whether the service can be reached, now and after each change.
    func connectivity() -> AsyncStream<Bool>
}

/// The connection as detected by the calls of the SDK. While it is lost and there are subscribers, the SDK checks
/// whether it is back.
public final class PouchConnectivitySource: ConnectivitySource {
    private let connection: ConnectionManager

    public init(connection: ConnectionManager) {
        self.connection = connection
    }

    public func connectivity() -> AsyncStream<Bool> {
        AsyncStream { continuation in
            let task = Task { [connection] in
                for await connection in connection.connections() { continuation.yield(connection == .online) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
