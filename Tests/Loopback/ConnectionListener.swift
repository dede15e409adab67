import NIOCore
import NIOPosix

/// Accepts connections on a free port of 127.0.0.1, for proxies that end while clients still connect.
public struct ConnectionListener<Inbound: Sendable, Outbound: Sendable>: Sendable {
    public typealias Connection = NIOAsyncChannel<Inbound, Outbound>

    private let listener: any Channel
    private let connections: AsyncStream<Connection>

    public var port: Int { listener.localAddress?.port ?? 0 }

    /// - Parameter setUp: Adds the handlers of a connection, on its event loop.
    public init(_ setUp: @escaping @Sendable (any Channel) throws -> Void = { _ in }) async throws {
        let (connections, accepted) = AsyncStream.makeStream(of: Connection.self)
        // The sequence of connections that swift-nio offers ends the process if one is accepted after it was cancelled
        // (issue 2637).
        listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try setUp(channel)
                    let connection = try Connection(wrappingChannelSynchronously: channel)
                    if case .terminated = accepted.yield(connection) {
                        Task { try await connection.executeThenClose { _, _ in } }
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        listener.closeFuture.whenComplete { _ in accepted.finish() }
        self.connections = connections
    }

    /// Serves each connection in a task of its own, until the task of the caller is cancelled. A connection that fails
    /// does not end the others. Returns once the port is closed and all tasks have ended.
    public func run(
        _ serve:
            @escaping @Sendable (
                NIOAsyncChannelInboundStream<Inbound>, NIOAsyncChannelOutboundWriter<Outbound>
            ) async throws -> Void
    ) async {
        // This task is not cancelled, so that the stream drops no connection; it ends when the port is closed.
        let serving = Task {
            await withDiscardingTaskGroup { group in
                for await connection in connections {
                    group.addTask { try? await connection.executeThenClose(serve) }
                }
                group.cancelAll()
            }
        }
        await withTaskCancellationHandler {
            await serving.value
        } onCancel: {
            listener.close(promise: nil)
        }
    }
}
