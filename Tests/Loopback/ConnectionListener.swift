import NIOCore
import NIOPosix

/// Accepts connections on a free port of 127.0.0.1, for proxies that end while clients still connect.
public struct ConnectionListener<Inbound: Sendable, Outbound: Sendable>: Sendable {
    public typealias Connection = NIOAsyncChannel<Inbound, Outbound>

    private let connections: NIOAsyncChannel<Connection, Never>

    public var port: Int { connections.channel.localAddress?.port ?? 0 }

    /// - Parameter setUp: Adds the handlers of a connection, on its event loop.
    public init(_ setUp: @escaping @Sendable (any Channel) throws -> Void = { _ in }) async throws {
        connections = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try setUp(channel)
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
    }

    /// Serves each connection in a task of its own, until the task of the caller is cancelled. A connection that fails
    /// does not end the others. Returns once the port is closed and all tasks have ended.
    public func run(
        _ serve:
            @escaping @Sendable (
                NIOAsyncChannelInboundStream<Inbound>, NIOAsyncChannelOutboundWriter<Outbound>
            ) async throws -> Void
    ) async throws {
        // swift-nio ends the process if it accepts a connection after the sequence of connections was cancelled (its
        // issue 2637). So this task is not cancelled: cancellation closes the port, and that ends the sequence.
        let serving = Task {
            try await connections.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await connection in connections {
                        group.addTask { try? await connection.executeThenClose(serve) }
                    }
                    group.cancelAll()
                }
            }
        }
        try await withTaskCancellationHandler {
            try await serving.value
        } onCancel: {
            connections.channel.close(promise: nil)
        }
    }
}
