import Logging
import NIOPosix
import ServerTesting
import ServiceLifecycle
import Subprocess
import Synchronization
import Testing

@testable import PouchDomain

/// A server on a port of this machine whose log tells which requests the lane answered.
struct LaneShop: Sendable {
    let port: Int
    let log: RequestLog
    let clock: SettableClock
    private let imports: ImportService
    private let catalog: CatalogFollower
    private let services: ServiceGroup

    static func serve(
        _ products: [FeedProduct] = .usual, configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @Sendable (LaneShop) async throws -> Void
    ) async throws {
        try await TemporaryFolder.use { folder in
            let (ports, listening) = AsyncStream.makeStream(of: Int.self)
            let clock = SettableClock()
            var configuration = ServerConfiguration(database: try await TestDatabase(in: folder).address)
            configuration.dataFolder = folder
            configuration.time = clock
            configuration.port = 0
            configuration.passwordCost = .init(log2N: 4, blockSize: 8, parallelism: 1)
            configuration.waitsPatiently()
            configuration.onListening = { listening.yield($0) }
            configure(&configuration)
            let application = try await ShopApplication(configuration)
            let log = RequestLog()
            let logger = Logger(label: "lane") { _ in log }
            try await withServices([try application.application(logger: logger)], logger: logger) { services in
                let port = await ports.first { _ in true }
                let shop = LaneShop(
                    port: port ?? 0, log: log, clock: clock, imports: application.services.imports,
                    catalog: application.services.catalog, services: services)
                if !products.isEmpty { try await shop.stock(products) }
                try await body(shop)
            }
        }
    }

    func stock(_ products: [FeedProduct]) async throws {
        _ = try await imports.run(ListedFeed(products))
        clock.advance(by: 1)
        // On a busy machine a check may be slow, and readers then go on with the version before.
        try await catalog.check()
    }

    /// Begins a graceful shutdown.
    func stop() async { await services.triggerGracefulShutdown() }

    func connect(from client: String? = nil, receiveBuffer: CInt? = nil) throws -> LaneClient {
        LaneClient(try RawConnection(port: port, from: client, receiveBuffer: receiveBuffer))
    }

    /// Sends a text over TLS with the openssl program, and returns everything that arrives until the connection ends.
    func answers(overTLS text: String, _ options: String...) async throws -> String {
        let arguments = ["s_client", "-connect", "127.0.0.1:\(port)", "-quiet", "-ign_eof"] + options
        return try await Subprocess.run(
            .name("openssl"), arguments: Arguments(arguments), input: try .text(text),
            output: .string(limit: 64 << 20), error: .discarded
        ).standardOutput
    }

    /// Requests the pages once, so that their answers are ready.
    ///
    /// - Returns: the framework's answers.
    @discardableResult
    func prepare(_ paths: String...) async throws -> [WireAnswer] {
        let connection = try connect()
        var answers: [WireAnswer] = []
        for path in paths {
            // The framework answers requests with cookies.
            if let answer = try await connection.get(path, "Cookie: a=b") { answers.append(answer) }
        }
        log.clear()
        return answers
    }
}

/// Runs each test, or each case of a test with arguments, with a shop of its own: `LaneShop.current`.
struct InLane: TestTrait, SuiteTrait, TestScoping {
    @TaskLocal static var shop: LaneShop?

    let products: [FeedProduct]
    let configure: @Sendable (inout ServerConfiguration) -> Void

    /// The tests of a suite share no shop.
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await LaneShop.serve(products, configure: configure) { shop in
            try await Self.$shop.withValue(shop) { try await function() }
        }
    }
}

extension Trait where Self == InLane {
    /// A shop for each test. The parameters are those of `LaneShop.serve`.
    static func inLane(
        _ products: [FeedProduct] = .usual,
        configure: @escaping @Sendable (inout ServerConfiguration) -> Void = { _ in }
    ) -> Self { Self(products: products, configure: configure) }
}

extension LaneShop {
    /// The shop of a test that has the trait `inLane`, or whose suite has it.
    static var current: LaneShop {
        guard let shop = InLane.shop else { preconditionFailure("Only a test with the trait inLane has a shop.") }
        return shop
    }
}

/// Sends requests on one connection and reads their answers one by one.
actor LaneClient {
    nonisolated let connection: RawConnection
    private var received = Data()

    init(_ connection: RawConnection) {
        self.connection = connection
    }

    static func request(_ path: String, _ headers: [String] = []) -> String {
        (["GET \(path) HTTP/1.1", "Host: shop"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
    }

    func get(_ path: String, _ headers: String...) async throws -> WireAnswer? {
        try await answer(to: Self.request(path, headers))
    }

    /// Sends a text as it is.
    func answer(to text: String) async throws -> WireAnswer? {
        try connection.send(text)
        return await next()
    }

    /// - Parameter isOfHead: whether the answer is to a HEAD request.
    /// - Returns: nil if the connection ends before the answer does.
    func next(isOfHead: Bool = false) async -> WireAnswer? {
        guard let end = await read(until: { $0.range(of: Data("\r\n\r\n".utf8))?.upperBound }) else { return nil }
        let lines = String(decoding: received.prefix(end), as: UTF8.self).components(separatedBy: "\r\n").dropLast(2)
        received = Data(received.dropFirst(end))
        var answer = WireAnswer(head: Array(lines), body: "")
        let length = isOfHead ? 0 : answer.header("Content-Length").flatMap { Int($0) } ?? 0
        guard await read(until: { $0.count >= length ? length : nil }) != nil else { return nil }
        answer.body = String(decoding: received.prefix(length), as: UTF8.self)
        received = Data(received.dropFirst(length))
        return answer
    }

    /// Whether the server closes the connection without another byte.
    func hasEnded() async -> Bool { received.isEmpty ? await connection.receive().isEmpty : false }

    private func read(until isComplete: (Data) -> Int?) async -> Int? {
        while true {
            if let count = isComplete(received) { return count }
            let piece = await connection.receive()
            if piece.isEmpty { return nil }
            received += Data(piece.utf8)
        }
    }
}

/// An answer as it was sent, in ASCII.
struct WireAnswer: Equatable {
    var head: [String]
    var body: String

    var status: Int { head.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }

    func header(_ name: String) -> String? {
        head.first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }.map { String($0.dropFirst(name.count + 2)) }
    }

    /// The answer without the values that differ from one to the next.
    var lasting: WireAnswer {
        let head = head.map { line in
            let name = String(line.prefix { $0 != ":" })
            return ["Request-Id", "Date"].contains(name) ? name : line
        }
        return WireAnswer(head: head, body: body)
    }
}

/// Keeps the lines about requests.
struct RequestLog: LogHandler {
    struct Line: Sendable {
        let level: Logger.Level
        let metadata: [String: String]
        /// Whether the request was answered on the event loop, where the framework runs no handlers.
        let isOfLane: Bool
    }

    private final class Lines: Sendable { let lines = Mutex<[Line]>([]) }

    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info
    private let stored = Lines()

    var lines: [Line] { stored.lines.withLock { $0 } }

    func clear() { stored.lines.withLock { $0 = [] } }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        guard event.message == "request" else { return }
        let line = Line(
            level: event.level,
            metadata: metadata.merging(event.metadata ?? [:]) { _, own in own }.mapValues(\.description),
            isOfLane: MultiThreadedEventLoopGroup.currentEventLoop != nil)
        stored.lines.withLock { $0.append(line) }
    }
}
