import CLibpq
import Foundation
import PouchDomain
import PouchStorage

/// Receives the notifications of all processes, on its own connection. Only connecting blocks a thread.
///
/// Connects with the first listener. After losing the connection it reconnects, and notifies its listeners that they
/// may have missed notifications. `@unchecked Sendable`: the state is used only on the queue.
final class PostgresListener: @unchecked Sendable {
    static let channel = "pouch"

    private let address: PostgresAddress
    private let hub = NotificationHub()
    private let queue = DispatchQueue(label: "pouch.postgres.listener")
    private var connection: (handle: OpaquePointer, source: any DispatchSourceRead)?
    private var isStarted = false
    private var isClosed = false
    private var backoff = Backoff()

    init(_ address: PostgresAddress) {
        self.address = address
    }

    func listen() -> AsyncStream<DatabaseNotification> {
        let notifications = hub.listen()
        queue.async {
            guard !self.isStarted else { return }
            self.isStarted = true
            self.connect()
        }
        return notifications
    }

    /// Sends texts to the listeners of this process only.
    func send(_ texts: [String]) { hub.send(texts) }

    func close() {
        hub.close()
        queue.async {
            self.isClosed = true
            self.disconnect()
        }
    }

    private func connect() {
        guard !isClosed else { return }
        guard let parameters = try? address.parameters(), let handle = PostgresSession.connected(parameters) else {
            return connectLater()
        }
        let result = PQexec(handle, "LISTEN \(Self.channel)")
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else {
            PQfinish(handle)
            return connectLater()
        }
        backoff = Backoff()
        let source = DispatchSource.makeReadSource(fileDescriptor: PQsocket(handle), queue: queue)
        source.setEventHandler { [weak self] in self?.receive() }
        // The descriptor must stay open until the source has ended.
        source.setCancelHandler { PQfinish(handle) }
        connection = (handle, source)
        source.activate()
        // Notifications from before this moment have not arrived.
        hub.send([.gap])
    }

    private func connectLater() {
        queue.asyncAfter(deadline: .now() + backoff.next() / .seconds(1)) { self.connect() }
    }

    private func disconnect() {
        connection?.source.cancel()
        connection = nil
    }

    private func receive() {
        guard let handle = connection?.handle else { return }
        let isConnected = PQconsumeInput(handle) == 1
        var texts: [DatabaseNotification] = []
        while let notification = PQnotifies(handle) {
            texts.append(.text(String(cString: notification.pointee.extra)))
            PQfreemem(notification)
        }
        hub.send(texts)
        if !isConnected {
            disconnect()
            connectLater()
        }
    }
}
