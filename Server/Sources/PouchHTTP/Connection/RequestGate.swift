import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTP1
import PouchContract
import PouchDomain
import PouchJSON
import PouchWire

/// Adds what HTTP/1.1 requires and the framework lacks: refuses malformed requests, answers `Expect: 100-continue`, and
/// announces in an answer that the connection ends.
///
/// Its handlers are on both sides of the lane, whose requests and answers bypass the gate. A refused request reaches
/// the framework as a decoder error, so that its answer follows those of earlier requests and ends the connection.
final class RequestGate {
    /// The time that a client has to read the last answer before the server closes the connection. The server reads
    /// nothing more in that time.
    private static let closeDelay = TimeAmount.seconds(1)
    /// The number of framing bytes that a body may have, and the number added for each byte of the body itself. Chunk
    /// extensions would otherwise be unbounded.
    private static let framing = (most: 16 << 10, perByte: 16)

    /// Signals that the framework reads a request's body.
    struct BodyWanted: Sendable {}
    /// Signals that no further request is answered.
    struct Closing: Sendable {}

    /// A request that was passed on and has no complete answer yet.
    private struct Passed {
        let isHead: Bool
        let version: HTTPVersion
        /// Whether the connection ends after the answer.
        var isLast: Bool
        /// Whether the client waits for 100 (Continue) before it sends the body.
        var awaitsContinue: Bool
        /// Whether that body has a known length and is too short to wait for 100 (Continue).
        let isShort: Bool
    }

    private let rule: RequestRule
    /// The headers of every response.
    private let headers: HTTPFields
    private var passed = CircularBuffer<Passed>(initialCapacity: 2)
    private var isReceiving = false
    /// The number of further bytes that may frame the body.
    private var framing = 0
    private var isClosing = false
    /// The answer to the request at which the gate closed; nil if the framework answers that request.
    private var refusal: (problem: RequestProblem, isOfHead: Bool)?

    init(_ rule: RequestRule, headers: HTTPFields) {
        self.rule = rule
        self.headers = headers
    }

    /// - Parameter lane: the handler between those of the gate.
    func add(to pipeline: ChannelPipeline.SynchronousOperations, around lane: LaneHandler? = nil) throws {
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try pipeline.addHandler(Bytes(gate: self), position: .before(decoder))
        try pipeline.addHandler(Requests(gate: self), position: .after(decoder))
        if let lane { try pipeline.addHandler(lane, position: .after(decoder)) }
        try pipeline.addHandler(Answers(gate: self), position: .after(decoder))
    }

    // MARK: Requests

    private final class Bytes: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        let gate: RequestGate

        init(gate: RequestGate) {
            self.gate = gate
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            gate.framing -= unwrapInboundIn(data).readableBytes
            context.fireChannelRead(data)
        }
    }

    private final class Requests: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart

        let gate: RequestGate

        init(gate: RequestGate) {
            self.gate = gate
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !gate.isClosing else { return }
            switch unwrapInboundIn(data) {
            case .head(let head): return receive(head, context)
            case .body(let piece):
                gate.framing += piece.readableBytes * (1 + RequestGate.framing.perByte)
                if let last = gate.passed.indices.last { gate.passed[last].awaitsContinue = false }
            case .end: gate.isReceiving = false
            }
            context.fireChannelRead(data)
        }

        private func isLocal(_ context: ChannelHandlerContext) -> Bool {
            context.localAddress?.ipAddress.flatMap { NetworkAddress($0) }?.isLoopback == true
        }

        private func receive(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
            if let problem = gate.rule.problem(of: head, isLocal: isLocal(context)) {
                return refuse(problem, isOfHead: head.method == .HEAD, .unknown, context)
            }
            gate.isReceiving = true
            gate.framing = RequestGate.framing.most
            var head = head
            head.uri = PathTemplate.normal(head.uri)
            // Persistence in HTTP/1.0 is an extension that clients and proxies interpret differently.
            // After an offer of another protocol, which this server does not speak, nothing more is read.
            let offersProtocol = head.method == .CONNECT || head.headers.contains(name: "upgrade")
            let isLast = !head.isKeepAlive || head.version != .http1_1 || offersProtocol
            // The framework closes the connection only for this field.
            if isLast { head.headers.replaceOrAdd(name: "connection", value: "close") }
            let awaitsContinue = head.version == .http1_1 && head.awaitsContinue
            gate.passed.append(
                Passed(
                    isHead: head.method == .HEAD, version: head.version, isLast: isLast,
                    awaitsContinue: awaitsContinue, isShort: awaitsContinue && head.isShort))
            context.fireChannelRead(wrapInboundOut(.head(head)))
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            // Java's client waits for 100 forever if another answer comes first, and a short body costs nothing.
            if gate.passed.count == 1, let only = gate.passed.first, only.awaitsContinue, only.isShort {
                context.triggerUserOutboundEvent(BodyWanted(), promise: nil)
            }
            if gate.isReceiving, !gate.isClosing, gate.framing < 0 {
                errorCaught(context: context, error: HTTPParserError.invalidChunkSize)
            }
            context.fireChannelReadComplete()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            guard let error = error as? HTTPParserError, !gate.isClosing else { return context.fireErrorCaught(error) }
            refuse(RequestProblem(parser: error), isOfHead: false, error, context)
        }

        private func refuse(
            _ problem: RequestProblem, isOfHead: Bool, _ error: HTTPParserError, _ context: ChannelHandlerContext
        ) {
            gate.isClosing = true
            if !gate.isReceiving {
                gate.refusal = (problem, isOfHead)
            } else if let last = gate.passed.indices.last {
                // The handler that reads the body answers.
                gate.passed[last].isLast = true
            }
            context.triggerUserOutboundEvent(Closing(), promise: nil)
            context.fireErrorCaught(error)
        }
    }

    // MARK: Answers

    private final class Answers: ChannelOutboundHandler {
        typealias OutboundIn = HTTPServerResponsePart
        typealias OutboundOut = HTTPServerResponsePart

        let gate: RequestGate

        init(gate: RequestGate) {
            self.gate = gate
        }

        func read(context: ChannelHandlerContext) {
            if !gate.isClosing { context.read() }
        }

        func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
            guard event is BodyWanted || event is Closing else {
                return context.triggerUserOutboundEvent(event, promise: promise)
            }
            if event is BodyWanted, let first = gate.passed.indices.first, gate.passed[first].awaitsContinue {
                gate.passed[first].awaitsContinue = false
                context.writeAndFlush(
                    wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
            }
            promise?.succeed()
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard let first = gate.passed.indices.first else { return writeRefusal(context, data, promise) }
            switch unwrapOutboundIn(data) {
            case .head(var head):
                if gate.passed[first].awaitsContinue {
                    // No handler asked for the body, so the client may send it or the next request.
                    gate.passed[first].isLast = true
                    gate.isClosing = true
                }
                if gate.passed[first].isLast { head.headers.replaceOrAdd(name: "connection", value: "close") }
                // The framework sends length 0 for a body that does not exist.
                if gate.passed[first].isHead, head.status == .ok, head.headers.first(name: "content-length") == "0" {
                    head.headers.remove(name: "content-length")
                }
                // HTTP/1.0 has no chunks: the body ends with the connection.
                if gate.passed[first].version != .http1_1, !head.headers.contains(name: "content-length") {
                    head.version = .http1_0
                }
                context.write(wrapOutboundOut(.head(head)), promise: promise)
            case .body: context.write(data, promise: promise)
            case .end:
                let request = gate.passed.removeFirst()
                // After a head with chunks, the encoder would write an empty chunk.
                let end = request.isHead ? wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))) : data
                context.write(end, promise: promise)
                if gate.isClosing, gate.passed.isEmpty, gate.refusal == nil { closeLater(context) }
            }
        }

        /// Answers instead of the framework, which has no problem document for decoder errors.
        private func writeRefusal(
            _ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?
        ) {
            guard gate.isClosing else { return context.write(data, promise: promise) }
            let part = unwrapOutboundIn(data)
            guard let (problem, isOfHead) = gate.refusal else {
                // The request already has its answer, and its body could not be read.
                promise?.succeed()
                if case .end = part { closeLater(context) }
                return
            }
            switch part {
            case .head:
                let id = RequestID().description
                var response = problem.response(requestId: id)
                response.headers[.requestId] = id
                response.headers[.date] = LaneLoop.date(Date().timeIntervalSince1970)
                response.headers[.connection] = "close"
                for field in gate.headers { response.headers[field.name] = field.value }
                let head = HTTPResponseHead(
                    version: .http1_1, status: .init(statusCode: response.status.code),
                    headers: .init(response.headers.map { ($0.name.rawName, $0.value) }))
                context.write(wrapOutboundOut(.head(head)), promise: promise)
                if !isOfHead, let body = try? problem.details(requestId: id).json() {
                    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
                }
            case .body: promise?.succeed()
            case .end:
                context.write(data, promise: promise)
                closeLater(context)
            }
        }

        /// Closes the connection once the client has had time to read the answer.
        private func closeLater(_ context: ChannelHandlerContext) {
            let channel = context.channel
            context.eventLoop.scheduleTask(in: RequestGate.closeDelay) { channel.close(promise: nil) }
        }
    }
}

extension HTTPRequestHead {
    fileprivate var awaitsContinue: Bool {
        guard headers[canonicalForm: "expect"].contains(where: { $0.lowercased() == "100-continue" }) else {
            return false
        }
        return headers.contains(name: "transfer-encoding") || headers.first(name: "content-length") ?? "0" != "0"
    }

    /// Whether the body has a known length of at most 64 KiB.
    fileprivate var isShort: Bool {
        headers.first(name: "content-length").flatMap(Int.init).map { $0 <= 64 << 10 } ?? false
    }
}
