#if Program
    import Foundation
    import NIOCore
    import NIOHTTP1

    /// A connection of a browser: reads one request after the other, and writes the answers of the site.
    struct WebConnection: Sendable {
        private typealias Writer = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

        /// The maximum size of all headers of a request, in bytes.
        private static let longestHead = 16 * 1024

        private let connection: WebServer.Connection
        private let site: KooberSite

        init(_ connection: WebServer.Connection, _ site: KooberSite) {
            self.connection = connection
            self.site = site
        }

        /// Returns when the browser or the site has ended the connection.
        func run() async throws {
            try await connection.executeThenClose { inbound, outbound in
                try await withThrowingTaskGroup(of: Void.self) { events in
                    var request: IncomingRequest?
                    for try await part in inbound {
                        switch part {
                        case .head(let head):
                            request = IncomingRequest(head)
                        case .body(let bytes):
                            request?.add(bytes)
                        case .end:
                            guard let complete = request else { return }
                            request = nil
                            let answer = await complete.answer(of: site)
                            if case .events(let stream) = answer.body {
                                // The loop continues, to detect that the browser has disconnected.
                                events.addTask { try await Self.send(stream, answer, to: outbound) }
                            } else {
                                try await Self.send(answer, to: outbound, isLast: !complete.isKeptAlive)
                                if !complete.isKeptAlive { return }
                            }
                        }
                        // The rest of a body that is too large is not worth reading.
                        if let tooLarge = request, tooLarge.isTooLarge(longestHead: Self.longestHead) {
                            let answer = await site.refuseLargeRequest()
                            return try await Self.send(answer, to: outbound, isLast: true)
                        }
                    }
                    events.cancelAll()
                }
            }
        }

        private static func send(_ answer: WebAnswer, to outbound: Writer, isLast: Bool) async throws {
            guard case .bytes(let body) = answer.body else { return }
            var head = head(of: answer)
            head.headers.add(name: "Content-Length", value: String(body.count))
            if isLast { head.headers.add(name: "Connection", value: "close") }
            try await outbound.write(contentsOf: [.head(head), .body(.byteBuffer(ByteBuffer(bytes: body))), .end(nil)])
        }

        /// Writes wait while the browser does not read; the stream then keeps only the latest event.
        private static func send(_ events: AsyncStream<String>, _ answer: WebAnswer, to outbound: Writer) async throws {
            try await outbound.write(.head(head(of: answer)))
            for await event in events {
                try await outbound.write(.body(.byteBuffer(ByteBuffer(string: event))))
            }
            try await outbound.write(.end(nil))
        }

        private static func head(of answer: WebAnswer) -> HTTPResponseHead {
            HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status),
                headers: HTTPHeaders(answer.headers))
        }
    }

    /// A request while its body arrives.
    private struct IncomingRequest: Sendable {
        private let head: HTTPRequestHead
        private var body = Data()

        init(_ head: HTTPRequestHead) {
            self.head = head
        }

        /// The answer to HEAD has no body, so the connection ends with it.
        var isKeptAlive: Bool { head.isKeepAlive && head.method != .HEAD }

        mutating func add(_ bytes: ByteBuffer) {
            body.append(contentsOf: bytes.readableBytesView)
        }

        func isTooLarge(longestHead: Int) -> Bool {
            let announced = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
            let size = head.uri.utf8.count + head.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
            return max(body.count, announced) > KooberSite.longestBody || size > longestHead
        }

        @MainActor
        func answer(of site: KooberSite) -> WebAnswer {
            site.answer(
                WebRequest(
                    method: head.method.rawValue, target: head.uri,
                    headers: head.headers.map { ($0.name, $0.value) }, body: body))
        }
    }
#endif
