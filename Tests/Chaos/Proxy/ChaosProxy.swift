import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix

/// Stands between client and server on a loopback port of its own, and harms the requests as its plan says.
public struct ChaosProxy: Sendable {
    private typealias Client = NIOAsyncChannel<HTTPServerRequestPart, ByteBuffer>

    private let listener: NIOAsyncChannel<Client, Never>
    private let upstream: Upstream
    private let plan: ChaosPlan
    private let cutsHeads: Bool
    private let passing = Passing()

    public var port: Int { listener.channel.localAddress?.port ?? 0 }

    /// - Parameters:
    ///   - server: the server's port on 127.0.0.1.
    ///   - cutsHeads: whether an answer may end within its head. On Linux, URLSession of Swift up to 6.3 ends the process
    ///     then (swift-corelibs-foundation, issue 5285).
    public init(server: Int, plan: ChaosPlan, cutsHeads: Bool, client: HTTPClient) async throws {
        upstream = Upstream(port: server, client: client)
        self.plan = plan
        self.cutsHeads = cutsHeads
        listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                    return try Client(wrappingChannelSynchronously: channel)
                }
            }
    }

    /// Serves until its task is cancelled.
    public func run() async throws {
        try await listener.executeThenClose { clients in
            try await withThrowingDiscardingTaskGroup { group in
                for try await client in clients {
                    // A client that goes away in the middle is no reason to end.
                    group.addTask { try? await serve(client) }
                }
            }
        }
    }

    private func serve(_ client: Client) async throws {
        try await client.executeThenClose { parts, answers in
            var head: HTTPRequestHead?
            var body = ByteBuffer()
            for try await part in parts {
                switch part {
                case .head(let new): (head, body) = (new, ByteBuffer())
                case .body(var bytes): body.writeBuffer(&bytes)
                case .end:
                    guard let request = head, try await answer(request, body, to: answers) else { return }
                }
            }
        }
    }

    /// - Returns: whether the connection may go on.
    private func answer(
        _ head: HTTPRequestHead, _ body: ByteBuffer, to client: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws -> Bool {
        let (fate, wait) = plan.next()
        switch fate {
        case .droppedBefore: return false
        case .intercepted:
            try await client.write(Self.interception)
            return true
        case .delayed: try await Task.sleep(for: .milliseconds(wait))
        case .overtaken: await passing.next(within: .milliseconds(wait))
        case .duplicated: _ = try await upstream.answer(to: head, body)
        case .delivered, .droppedAfter, .truncated: break
        }
        var answer = try await upstream.answer(to: head, body)
        passing.announce()
        switch fate {
        case .droppedAfter: return false
        case .truncated:
            let whole = answer.bytes.readableBytes
            answer.bytes.moveWriterIndex(to: cutsHeads ? whole / 2 : (answer.headLength + whole) / 2)
            // Where that leaves the answer as it is, the connection ends behind it.
            try await client.write(answer.bytes)
            return false
        default:
            try await client.write(answer.bytes)
            return true
        }
    }

    private static let interception = ByteBuffer(
        string: """
            HTTP/1.1 503 Service Unavailable\r
            Content-Type: text/html\r
            Content-Length: 14\r
            \r
            <h1>Sorry</h1>
            """)
}
