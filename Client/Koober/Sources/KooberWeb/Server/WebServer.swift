#if Program
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOPosix

    /// Serves a site on 127.0.0.1, only to browsers on this machine.
    ///
    /// It uses SwiftNIO rather than FlyingFox 0.27, which would need half the code: FlyingFox reads the lines of a head
    /// without a limit, uses the last of two headers with the same name (even of two hosts), waits forever for a
    /// request that never becomes complete, and detects that a browser has left an event stream only at the next event.
    /// NIO limits heads, reports the end of a connection immediately, and is already in this package.
    ///
    ///     let server = try await WebServer.start(port: 8081)
    ///     let site = KooberSite(app, language: .english, port: server.port)
    ///     await server.run(site)
    public struct WebServer: Sendable {
        typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

        /// The maximum number of concurrent connections. A browser opens up to six.
        private static let maxConnections = 64

        private let listener: any Channel
        private let connections: AsyncStream<Connection>

        public let port: Int

        /// - Parameter port: 0 for a free one.
        /// - Throws: `PortInUse`, or another error of the system.
        public static func start(port: Int) async throws -> WebServer {
            do {
                return try await WebServer(port: port)
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                throw PortInUse(port: port)
            }
        }

        private init(port: Int) async throws {
            let (connections, accepted) = AsyncStream.makeStream(of: Connection.self)
            // NIO can also return accepted connections as a sequence. It ends the process if it accepts one after the
            // sequence has ended (swift-nio, issue 2637).
            listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        // A browser does not send the next request before the answer.
                        try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false)
                        try pipeline.addHandler(RequestDeadline())
                        let connection = try Connection(wrappingChannelSynchronously: channel)
                        if case .terminated = accepted.yield(connection) { Self.close(connection) }
                    }
                }
                .bind(host: "127.0.0.1", port: port).get()
            listener.closeFuture.whenComplete { _ in accepted.finish() }
            self.connections = connections
            self.port = listener.localAddress?.port ?? 0
        }

        /// Serves the site until the task is cancelled. Then the port and all connections are closed.
        public func run(_ site: KooberSite) async {
            // This task is not cancelled, because a stream whose reader is cancelled releases connections, and NIO ends
            // the process if a connection is released that did not run. The stream ends when the port is closed.
            let serving = Task { await serve(site) }
            await withTaskCancellationHandler {
                await serving.value
            } onCancel: {
                listener.close(promise: nil)
            }
        }

        private func serve(_ site: KooberSite) async {
            let slots = ConnectionSlots(Self.maxConnections)
            await withDiscardingTaskGroup { group in
                group.addTask { await site.follow() }
                for await connection in connections {
                    guard await slots.take() else {
                        Self.close(connection)
                        continue
                    }
                    group.addTask {
                        // A lost connection affects only its browser.
                        try? await WebConnection(connection, site).run()
                        await slots.giveBack()
                    }
                }
                group.cancelAll()
            }
        }

        private static func close(_ connection: Connection) {
            Task { try await connection.executeThenClose { _, _ in } }
        }
    }

    /// Another program uses the port.
    public struct PortInUse: LocalizedError {
        public let port: Int

        public var errorDescription: String? { "Port \(port) is in use. Choose another one, or 0 for a free one." }
    }

    /// Counts the connections that may still be opened.
    private actor ConnectionSlots {
        private var free: Int

        init(_ count: Int) {
            free = count
        }

        func take() -> Bool {
            guard free > 0 else { return false }
            free -= 1
            return true
        }

        func giveBack() { free += 1 }
    }

    /// Closes a connection whose next request is not complete in time, however slowly its bytes arrive.
    private final class RequestDeadline: ChannelDuplexHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart
        typealias OutboundIn = HTTPServerResponsePart
        typealias OutboundOut = HTTPServerResponsePart

        private static let requestTimeout = TimeAmount.seconds(60)

        private var closing: Scheduled<Void>?

        func handlerAdded(context: ChannelHandlerContext) { wait(context) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            // A response may take long: an event stream lasts as long as the browser shows the page.
            if case .end = unwrapInboundIn(data) { closing?.cancel() }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if case .end = unwrapOutboundIn(data) { wait(context) }
            context.write(data, promise: promise)
        }

        func channelInactive(context: ChannelHandlerContext) {
            closing?.cancel()
            context.fireChannelInactive()
        }

        private func wait(_ context: ChannelHandlerContext) {
            closing?.cancel()
            let channel = context.channel
            closing = context.eventLoop.scheduleTask(in: Self.requestTimeout) { channel.close(promise: nil) }
        }
    }
#endif
