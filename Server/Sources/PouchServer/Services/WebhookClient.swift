import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import PouchDomain
import PouchEntities
import PouchTelemetry

/// Sends webhook requests, only to addresses that the shop allows.
///
/// Resolves the name of an endpoint itself, checks the address, and connects to that address. So a name that later
/// resolves to another address cannot redirect the request. The certificate is still checked against the name.
actor WebhookClient {
    /// An address and host to which connections are kept.
    private struct Target: Hashable {
        let host: String
        let address: String
    }

    private struct Known {
        let client: HTTPClient
        var usedAt: ContinuousClock.Instant
    }

    /// The time for which a resolved address is reused.
    private static let memory = Duration.seconds(5)
    /// The maximum time for which unused connections to one address are kept.
    private static let idleTime = Duration.seconds(60)
    /// The bytes of an answer that are read, so that the connection can be reused, and the bytes that are shown.
    private static let (readBytes, shownBytes) = (64 << 10, 500)

    private let rule: WebhookAddressRule
    private let timeLimit: Duration
    private let resolve: @Sendable (String) async throws -> [String]
    private var clients: [Target: Known] = [:]
    private var resolved: [String: (address: String, at: ContinuousClock.Instant)] = [:]
    /// The names being resolved. All requests to one name wait for the same resolution.
    private var resolving: [String: Task<String, any Error>] = [:]

    /// - Parameters:
    ///   - timeLimit: the time for a request, from the name's resolution to the end of the answer.
    ///   - resolve: resolves the addresses of a name; tests have their own names. May take longer than the limit.
    init(
        rule: WebhookAddressRule, timeLimit: Duration = .seconds(10),
        resolve: @escaping @Sendable (String) async throws -> [String] = SystemResolver().addresses
    ) {
        self.rule = rule
        self.timeLimit = timeLimit
        self.resolve = resolve
    }

    /// Sends a request and returns its outcome.
    nonisolated func post(
        _ body: Data, to address: PeerAddress, headers: [(String, String)], at now: Date
    ) async -> WebhookDelivery.Attempt {
        let start = ContinuousClock.now
        func attempt(_ status: Int? = nil, _ answer: String? = nil, error: String? = nil) -> WebhookDelivery.Attempt {
            let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
            return .init(at: now, milliseconds: milliseconds, status: status, answer: answer, error: error)
        }
        do {
            // A resolver cannot be cancelled, and an HTTP client's deadline ends with the head of the answer.
            let (status, answer) = try await withTimeLimit(timeLimit, throwing: HTTPClientError.deadlineExceeded) {
                try await self.send(body, to: address, headers)
            }
            return attempt(status, answer)
        } catch let refusal as WebhookRefusal {
            return attempt(error: refusal.rawValue)
        } catch {
            return attempt(error: Self.text(error))
        }
    }

    private nonisolated func send(
        _ body: Data, to address: PeerAddress, _ headers: [(String, String)]
    ) async throws -> (Int, String?) {
        let deadline = NIODeadline.now() + TimeAmount(timeLimit)
        let client = try await client(for: address.host)
        // The resolution may have ended after the request's time limit.
        try Task.checkCancellation()
        var request = HTTPClientRequest(url: address.url.absoluteString)
        request.method = .POST
        request.headers = HTTPHeaders(headers)
        request.body = .bytes(ByteBuffer(bytes: body))
        let response = try await client.execute(request, deadline: deadline)
        var (text, count) = (ByteBuffer(), 0)
        for try await piece in response.body {
            count += piece.readableBytes
            text.writeImmutableBuffer(
                piece.getSlice(
                    at: piece.readerIndex,
                    length: min(piece.readableBytes, max(0, Self.shownBytes - text.readableBytes)))
                    ?? ByteBuffer())
            if count > Self.readBytes { break }
        }
        let shown = String(buffer: text).filter { !$0.isNewline && $0 != "\0" }
        return (Int(response.status.code), shown.isEmpty ? nil : shown)
    }

    /// A client whose connections for the host lead to a checked address.
    private func client(for host: String) async throws -> HTTPClient {
        let address = try await address(of: host)
        let target = Target(host: host, address: address)
        if let known = clients[target] {
            clients[target]?.usedAt = .now
            return known.client
        }
        closeIdle()
        var configuration = HTTPClient.Configuration.toPeer
        configuration.timeout.connect = .init(timeLimit)
        configuration.httpVersion = .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = WebhookSender.atOnce
        if NetworkAddress(host) == nil { configuration.dnsOverride = [host: address] }
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        clients[target] = Known(client: client, usedAt: .now)
        return client
    }

    private func address(of name: String) async throws -> String {
        if let found = resolved[name], found.at.duration(to: .now) < Self.memory { return found.address }
        if let task = resolving[name] { return try await task.value }
        let task = Task { try await checkedAddress(of: name) }
        resolving[name] = task
        return try await task.value
    }

    private func checkedAddress(of name: String) async throws -> String {
        defer { resolving[name] = nil }
        let addresses = NetworkAddress(name) == nil ? try await resolve(name) : [name]
        guard !addresses.isEmpty else { throw WebhookRefusal.noAddress }
        // Every address must be allowed, so that the result does not depend on their order.
        guard addresses.allSatisfy({ NetworkAddress($0).map(rule.allows) ?? false }), let first = addresses.first else {
            throw WebhookRefusal.privateAddress
        }
        if resolved.count > 1_000 { resolved = [:] }
        resolved[name] = (first, .now)
        return first
    }

    /// Closes connections to addresses that have not been used for a while.
    private func closeIdle() {
        for (target, known) in clients where known.usedAt.duration(to: .now) > Self.idleTime {
            clients[target] = nil
            known.client.shutdown { _ in }
        }
    }

    func close() async {
        let open = clients.values.map(\.client)
        clients = [:]
        for client in open { try? await client.shutdown() }
    }

    // MARK: Errors

    private static func text(_ error: any Error) -> String {
        switch error {
        case let error as HTTPClientError
        where [.deadlineExceeded, .connectTimeout, .readTimeout, .cancelled].contains(error):
            "The endpoint did not answer completely in time."
        case let error as HTTPClientError where error == .remoteConnectionClosed:
            "The endpoint closed the connection before it answered."
        case is NIOConnectionError, is IOError: "The connection failed or was lost."
        default: "The request failed: \(String(describing: error).prefix(200))"
        }
    }
}

/// The system's resolver, on its own threads: while no name server answers, it blocks them for half a minute or longer,
/// and other work must not wait for it.
final class SystemResolver: Sendable {
    private let threads = NIOThreadPool(numberOfThreads: 4)

    init() {
        threads.start()
    }

    deinit {
        threads.shutdownGracefully { _ in }
    }

    /// The addresses of a name.
    ///
    /// - Throws: when the name has no address, or no name server answers.
    @Sendable func addresses(of name: String) async throws -> [String] {
        try await threads.runIfActive {
            var (hints, found) = (addrinfo(), UnsafeMutablePointer<addrinfo>?.none)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            // Returns no IPv6 addresses if this machine has none.
            hints.ai_flags = AI_ADDRCONFIG
            guard getaddrinfo(name, nil, &hints, &found) == 0 else { throw WebhookRefusal.noAddress }
            defer { freeaddrinfo(found) }
            return sequence(first: found, next: { $0?.pointee.ai_next }).compactMap { entry -> String? in
                guard let entry, let address = entry.pointee.ai_addr else { return nil }
                var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
                let length = entry.pointee.ai_addrlen
                guard
                    getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
                else { return nil }
                return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
        }
    }
}

/// The reason why a request was not sent.
private enum WebhookRefusal: String, Error {
    case noAddress = "The host name has no address."
    case privateAddress = "The host is in a private network. The shop does not send webhooks there."
}
