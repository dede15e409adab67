import NIOCore
import NIOPosix
import Synchronization

/// Stands between clients and a server on a port of its own. It lets everything through but, while it holds, what the
/// server answers to requests for rides.
final class HoldingProxy: Sendable {
    private typealias Peer = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// An element for each answer that came and is kept back.
    let held: AsyncStream<Void>

    private let listener: NIOAsyncChannel<Peer, Never>
    private let server: Int
    private let holds = Mutex(true)
    private let hold: AsyncStream<Void>.Continuation

    var port: Int { listener.channel.localAddress?.port ?? 0 }

    /// - Parameter server: the server's port on 127.0.0.1.
    init(server: Int) async throws {
        self.server = server
        (held, hold) = AsyncStream.makeStream(of: Void.self)
        listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture { try Peer(wrappingChannelSynchronously: channel) }
            }
    }

    func letsAllThrough() {
        holds.withLock { $0 = false }
    }

    /// Serves until its task is cancelled.
    func run() async throws {
        try await listener.executeThenClose { clients in
            try await withThrowingDiscardingTaskGroup { group in
                for try await client in clients {
                    // One that goes away in the middle is no reason to end.
                    group.addTask { [self] in try? await relay(client) }
                }
            }
        }
    }

    private func relay(_ client: Peer) async throws {
        let server = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: server) { channel in
                channel.eventLoop.makeCompletedFuture { try Peer(wrappingChannelSynchronously: channel) }
            }
        let isAskedForRide = Flag()
        try await client.executeThenClose { requests, toClient in
            try await server.executeThenClose { answers, toServer in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for try await bytes in requests {
                            if String(buffer: bytes).hasPrefix("POST /v1/rides ") { isAskedForRide.raise() }
                            try await toServer.write(bytes)
                        }
                    }
                    group.addTask { [self] in
                        for try await bytes in answers {
                            guard isAskedForRide.isRaised, holds.withLock({ $0 }) else {
                                try await toClient.write(bytes)
                                continue
                            }
                            hold.yield()
                        }
                    }
                    // When one of them has gone, the other goes.
                    _ = try await group.next()
                    group.cancelAll()
                }
            }
        }
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)

        var isRaised: Bool { value.withLock { $0 } }

        func raise() { value.withLock { $0 = true } }
    }
}
