import Benchmarking
import HTTPTypes
import Hummingbird
import NIOCore
import PouchHTTP
import Synchronization

/// The bytes of a page, with the headers that all answers with it have.
public struct ConstantPage: Sendable {
    /// Made for each answer. The middleware gives each an id, too.
    private static let ofOneAnswer: Set = [
        "content-length", "date", "set-cookie", "x-content-type-options", "request-id",
    ]

    public let head: HTTPFields
    public let body: ByteBuffer

    public init(of url: String, headers: [String] = []) async throws {
        let answer = try await Program.curl(url, ["-f", "-i"], headers: headers)
        guard let end = answer.firstRange(of: "\r\n\r\n") else { throw BenchError("\(url) has no head") }
        var head = HTTPFields()
        for line in answer[..<end.lowerBound].split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ": ", maxSplits: 1)
            guard parts.count == 2, let field = HTTPField.Name(String(parts[0])) else { continue }
            if !Self.ofOneAnswer.contains(field.canonicalName) { head[field] = String(parts[1]) }
        }
        self.head = head
        body = ByteBuffer(string: String(answer[end.upperBound...]))
    }
}

/// Pages as constants, which an application sends by a route next to those of the pages, with the same middleware.
public final class ConstantPages: Sendable {
    private let pages = Mutex<[String: ConstantPage]>([:])

    public init() {}

    public func add(to router: Router<PouchRequestContext>) {
        router.get("bench/constant/{name}") { [self] _, context in
            let name = try context.parameters.require("name")
            guard let page = pages.withLock({ $0[name] }) else { throw HTTPError(.notFound) }
            return Response(status: .ok, headers: page.head, body: .init(byteBuffer: page.body))
        }
    }

    public func set(_ name: String, to page: ConstantPage) { pages.withLock { $0[name] = page } }
}
