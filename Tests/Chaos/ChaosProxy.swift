import AsyncHTTPClient
import Loopback
import NIOCore
import NIOHTTP1
import NIOPosix
import SeededRandom
import Synchronization

/// A proxy on a loopback port that harms requests according to its plan.
public struct ChaosProxy: Sendable {
    private let listener: ConnectionListener<HTTPServerRequestPart, ByteBuffer>
    private let upstream: Upstream
    private let plan: ChaosPlan
    private let cutsHeads: Bool
    private let answers = AnswerSignal()

    public var port: Int { listener.port }

    /// - Parameters:
    ///   - server: The port of the server on 127.0.0.1.
    ///   - cutsHeads: Whether an answer may be cut within its head. On Linux, URLSession of Swift up to 6.3 ends the
    ///     process then (swift-corelibs-foundation, issue 5285).
    public init(server: Int, plan: ChaosPlan, cutsHeads: Bool, client: HTTPClient) async throws {
        upstream = Upstream(port: server, client: client)
        self.plan = plan
        self.cutsHeads = cutsHeads
        listener = try await ConnectionListener { channel in
            try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
        }
    }

    /// Serves until its task is cancelled.
    public func run() async { await listener.run(serve) }

    private func serve(
        _ parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>,
        _ responses: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws {
        var head: HTTPRequestHead?
        var body = ByteBuffer()
        for try await part in parts {
            switch part {
            case .head(let new): (head, body) = (new, ByteBuffer())
            case .body(var bytes): body.writeBuffer(&bytes)
            case .end:
                guard let request = head, try await answer(request, body, to: responses) else { return }
            }
        }
    }

    /// - Returns: Whether the connection stays open.
    private func answer(
        _ head: HTTPRequestHead, _ body: ByteBuffer, to client: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws -> Bool {
        let (fate, wait) = plan.next()
        switch fate {
        case .droppedBefore: return false
        case .intercepted:
            try await client.write(Self.interceptions[wait % Self.interceptions.count])
            return true
        case .delayed: try await Task.sleep(for: .milliseconds(wait))
        case .overtaken: await answers.next(within: .milliseconds(wait))
        case .duplicated: _ = try await upstream.answer(to: head, body)
        case .delivered, .droppedAfter, .truncated: break
        }
        var answer = try await upstream.answer(to: head, body)
        answers.send()
        switch fate {
        case .droppedAfter: return false
        case .truncated:
            let whole = answer.bytes.readableBytes
            answer.bytes.moveWriterIndex(to: cutsHeads ? whole / 2 : (answer.headLength + whole) / 2)
            // An answer that is still whole is written, and then the connection ends.
            try await client.write(answer.bytes)
            return false
        default:
            try await client.write(answer.bytes)
            return true
        }
    }

    /// Answers of gateways and of a network's sign-in page. None is the server's word.
    private static let interceptions = [
        "200 OK", "401 Unauthorized", "403 Forbidden", "404 Not Found", "502 Bad Gateway", "503 Service Unavailable",
        "511 Network Authentication Required",
    ].map { status in
        ByteBuffer(
            string: """
                HTTP/1.1 \(status)\r
                Content-Type: text/html\r
                Content-Length: 14\r
                \r
                <h1>Sorry</h1>
                """)
    }
}

// MARK: - The plan
/// Chooses the fate of each request from a seed, in the order of their arrival, and counts them.
public final class ChaosPlan: Sendable {
    private struct State {
        var random: SplitMix64
        var harm: Int
        var counts: [Fate: Int] = [:]
    }

    private let state: Mutex<State>

    public init(seed: UInt64, harm: Int) { state = Mutex(State(random: SplitMix64(seed: seed), harm: harm)) }
    public var counts: [Fate: Int] { state.withLock { $0.counts } }

    /// Delivers all further requests.
    public func calm() { state.withLock { $0.harm = 0 } }

    /// - Returns: The next fate, and milliseconds to wait, for fates with a delay.
    func next() -> (fate: Fate, wait: Int) {
        state.withLock { state in
            let fate = Fate.drawn(harm: state.harm, from: &state.random)
            state.counts[fate, default: 0] += 1
            return (fate, Int.random(in: 1...25, using: &state.random))
        }
    }
}

/// The treatment of one request on its way to the server and back.
public enum Fate: String, CaseIterable, Sendable {
    case delivered
    /// The connection ends before the request reaches the server.
    case droppedBefore
    /// The server handles the request; the connection ends without an answer.
    case droppedAfter
    /// The connection ends in the middle of the answer.
    case truncated
    case delayed
    /// The server receives the request twice, as from a proxy that retries. The second answer is returned.
    case duplicated
    /// The request waits until another request is answered, at most some milliseconds.
    case overtaken
    /// The proxy answers instead of the server, in HTML.
    case intercepted

    static func drawn(harm: Int, from random: inout SplitMix64) -> Fate {
        guard Int.random(in: 0..<100, using: &random) < harm else { return .delivered }
        return allCases.dropFirst().randomElement(using: &random) ?? .delivered
    }
}

// MARK: - The server
/// The server behind the proxy.
private struct Upstream: Sendable {
    /// An answer as bytes on the wire.
    struct Answer {
        var bytes: ByteBuffer
        let headLength: Int
    }

    private static let hopByHop: Set = ["connection", "keep-alive", "transfer-encoding", "content-length"]

    let port: Int
    let client: HTTPClient

    func answer(to head: HTTPRequestHead, _ body: ByteBuffer) async throws -> Answer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(head.uri)")
        request.method = head.method
        request.headers = HTTPHeaders(head.headers.filter { !Self.hopByHop.contains($0.name.lowercased()) })
        if body.readableBytes > 0 { request.body = .bytes(body) }
        let answer = try await client.execute(request, timeout: .seconds(180))
        var content = try await answer.body.collect(upTo: 64 << 20)
        var bytes = ByteBuffer(string: "HTTP/1.1 \(answer.status.code) \(answer.status.reasonPhrase)\r\n")
        for (name, value) in answer.headers where !Self.hopByHop.contains(name.lowercased()) {
            bytes.writeString("\(name): \(value)\r\n")
        }
        // A response without content has no length (RFC 9110, section 8.6).
        if ![204, 304].contains(answer.status.code) {
            bytes.writeString("Content-Length: \(content.readableBytes)\r\n")
        }
        bytes.writeString("\r\n")
        let headLength = bytes.readableBytes
        bytes.writeBuffer(&content)
        return Answer(bytes: bytes, headLength: headLength)
    }
}

/// Lets a request wait until another request is answered.
private final class AnswerSignal: Sendable {
    private struct State {
        var nextId = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    func send() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits for the next answer, at most for the given time.
    func next(within patience: Duration) async {
        let id = state.withLock { state in
            state.nextId += 1
            return state.nextId
        }
        let timer = Mutex<Task<Void, Never>?>(nil)
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiting[id] = continuation }
            let task = Task {
                try? await Task.sleep(for: patience)
                state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
            }
            timer.withLock { $0 = task }
        }
        timer.withLock { $0 }?.cancel()
    }
}
