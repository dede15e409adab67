import Benchmarking
import Hummingbird
import NIOCore
import PouchAsyncHTTPClient
import PouchNetwork

/// Measures fixed and adaptive limits of requests at once, on a narrow line and on a fast one with a delay.
struct RequestLimits {
    private static let limits: [(name: String, limit: RequestLimit)] = [
        ("fixed, 2", 2), ("fixed, 8", 8), ("fixed, 16", 16), ("adaptive, 2 to 16", .adaptive(2...16)),
    ]
    private static let callers = 32
    private static let seconds = 15.0
    /// A user waits no longer.
    private static let timeout = Duration.milliseconds(1_500)

    let server: URL

    func show() async throws {
        say("\nRequests for 64 KiB, \(Self.callers) callers for \(Int(Self.seconds)) s, a timeout of \(Self.timeout)\n")
        sayRow("", 42, ["answered/s", "timed out", "p50", "p95", "limit"], 11)
        for line in Line.all {
            for (name, limit) in Self.limits { try await show("\(line.path) line: \(name)", at: line.path, limit) }
        }
        let queue = NetworkQueue(limit: .adaptive(2...16))
        var values: [String] = []
        for path in [Line.fast.path, Line.narrow.path, Line.fast.path] {
            _ = try await run(at: path, queue)
            values.append("\(queue.limit)")
        }
        let limits = values.joined(separator: ", ")
        say("One queue on the fast line, then on the narrow one, then on the fast one again: limits \(limits)")
    }

    private func show(_ name: String, at path: String, _ limit: RequestLimit) async throws {
        let queue = NetworkQueue(limit: limit)
        let payloads = try await run(at: path, queue)
        let answered = payloads.filter { $0.response?.status == 200 && $0.error == nil }
        let times = answered.compactMap { $0.attempts.last }.compactMap { attempt in
            attempt.endedAt.map { $0.timeIntervalSince(attempt.startedAt) * 1_000 }
        }.sorted()
        let columns = [
            (Double(answered.count) / Self.seconds).text(1), "\(payloads.count { $0.error == .timedOut })",
            "\(times.percentile(50).text(0)) ms", "\(times.percentile(95).text(0)) ms", "\(queue.limit)",
        ]
        sayRow(name, 42, columns, 11)
    }

    private func run(at path: String, _ queue: NetworkQueue) async throws -> [NetworkPayload] {
        let session = NetworkSession(try AsyncHTTPClientTransport())
        let request = NetworkRequest(url: server.appending(path: path), timeout: Self.timeout)
        let end = ContinuousClock.now + .seconds(Self.seconds)
        return await withTaskGroup(of: [NetworkPayload].self) { group in
            for _ in 0..<Self.callers {
                group.addTask {
                    var payloads: [NetworkPayload] = []
                    while ContinuousClock.now < end {
                        payloads.append(await queue.run(NetworkOperation(request, in: session)))
                    }
                    return payloads
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }
}

/// A line with a delay whose bandwidth all its responses share, each getting a piece in turn.
actor Line {
    /// 4 Mbit/s, as of a busy mobile network: 8 bodies a second.
    static let narrow = Line("narrow", bytesPerSecond: 512 << 10)
    static let fast = Line("fast", bytesPerSecond: 1 << 30)
    static let all = [narrow, fast]

    private static let piece = ByteBuffer(repeating: 0x20, count: 8 << 10)
    private static let pieces = 8

    let path: String
    private let timeOfPiece: Duration
    /// The time until which the line is busy.
    private var busyUntil = ContinuousClock.now

    private init(_ path: String, bytesPerSecond: Int) {
        self.path = path
        timeOfPiece = .seconds(1) * Self.piece.readableBytes / bytesPerSecond
    }

    nonisolated func response() async throws -> Response {
        try await Task.sleep(for: .milliseconds(40))
        try await sendPiece()
        return Response(
            status: .ok,
            body: ResponseBody(contentLength: Self.piece.readableBytes * Self.pieces) { writer in
                for number in 0..<Self.pieces {
                    if number > 0 { try await self.sendPiece() }
                    try await writer.write(Self.piece)
                }
                try await writer.finish(nil)
            })
    }

    /// Returns when the piece is over the line, after those that came before it.
    private func sendPiece() async throws {
        busyUntil = max(busyUntil, .now) + timeOfPiece
        try await ContinuousClock().sleep(until: busyUntil)
    }
}
