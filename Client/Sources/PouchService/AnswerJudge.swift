import Foundation
import PouchNetwork
import PouchWire

/// Decides whether what came back is a good answer. The status is judged first, then the bytes, whatever their media
/// type claims to be.
struct AnswerJudge {
    /// Error bodies are kept up to this many bytes: the problem of a cart of 500 changed lines fits.
    private static let keptBytes = 128 << 10
    /// A success with a body longer than this is not looked through for an error.
    private static let longestDisguise = 4 << 10

    private let answersJSON: Bool
    private let beginsSession: Bool
    private let mayBeUnmodified: Bool
    private let now: @Sendable () -> Date

    /// - Parameter now: the time of day, to which a date in `Retry-After` is compared.
    init(endpoint: Endpoint, mayBeUnmodified: Bool, now: @escaping @Sendable () -> Date) {
        answersJSON =
            switch endpoint {
            case .asset, .healthLive, .healthReady: false
            default: true
            }
        beginsSession = SessionEffect(endpoint) == .begins
        self.mayBeUnmodified = mayBeUnmodified
        self.now = now
    }

    /// For what is no endpoint of a Pouch server.
    init(answersJSON: Bool, mayBeUnmodified: Bool, now: @escaping @Sendable () -> Date) {
        self.answersJSON = answersJSON
        beginsSession = false
        self.mayBeUnmodified = mayBeUnmodified
        self.now = now
    }

    func judge(_ payload: NetworkPayload) -> Result<ServiceAnswer, ServiceError> {
        guard let response = payload.response else {
            return .failure(
                ServiceError(payload.error.map(ServiceError.Reason.init) ?? .failed("neither answer nor error")))
        }
        return judge(response)
    }

    func judge(_ response: NetworkResponse) -> Result<ServiceAnswer, ServiceError> {
        switch response.status {
        case 204, mayBeUnmodified ? 304 : 204:
            return .success(ServiceAnswer(status: response.status, headers: response.headers, data: Data()))
        case 200..<300:
            if let fault = fault(in: response) { return .failure(fault) }
            return .success(ServiceAnswer(status: response.status, headers: response.headers, data: response.data))
        default:
            return .failure(failure(.refused, response, Self.problem(in: response.data)))
        }
    }

    /// What is wrong with an answer whose status says that all is well.
    private func fault(in response: NetworkResponse) -> ServiceError? {
        guard answersJSON else { return nil }
        guard let (first, last) = Self.ends(of: response.data) else {
            return failure(.unreadable("the body is empty"), response, nil)
        }
        switch (first, last) {
        case (UInt8(ascii: "{"), UInt8(ascii: "}")), (UInt8(ascii: "["), UInt8(ascii: "]")):
            // Of a length that was announced all is here; else it may have been cut behind an inner bracket.
            let isAnnounced = response.headers["Content-Length"] == String(response.data.count)
            guard !isAnnounced, Self.isOpen(response.data) else { break }
            fallthrough
        case (UInt8(ascii: "{"), _), (UInt8(ascii: "["), _):
            // It must not be kept in the place of a whole one.
            return failure(.unreadable("the body is cut short"), response, nil)
        default: return failure(.unreadable("the body is not JSON"), response, nil)
        }
        // Reading every short answer as a problem would cost as much as reading it.
        guard response.data.count <= Self.longestDisguise, Self.mayBeProblem(response.data),
            let problem = Self.problem(in: response.data), problem.status >= 400
        else { return nil }
        return failure(.refused, response, problem)
    }

    /// Whether a bracket is not closed again, as in whatever is cut off of JSON. Where a line ends within a string it is no
    /// JSON, and nobody can tell.
    private static func isOpen(_ data: Data) -> Bool {
        data.withUnsafeBytes { bytes in
            var depth = 0
            var isInString = false
            var rest = bytes.makeIterator()
            while let byte = rest.next() {
                switch byte {
                case UInt8(ascii: "\""): isInString.toggle()
                case UInt8(ascii: "\\") where isInString: _ = rest.next()
                case UInt8(ascii: "\n") where isInString: return false
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += isInString ? 0 : 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= isInString ? 0 : 1
                default: break
                }
            }
            return depth > 0
        }
    }

    /// The first and the last byte that are no white space. JSON should not begin with a byte order mark; files often do.
    private static func ends(of data: Data) -> (first: UInt8, last: UInt8)? {
        data.withUnsafeBytes { bytes in
            let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
            guard let first = text.first(where: isNoSpace), let last = text.last(where: isNoSpace) else { return nil }
            return (first, last)
        }
    }

    private static func isNoSpace(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): false
        default: true
        }
    }

    private func failure(
        _ reason: ServiceError.Reason, _ response: NetworkResponse, _ problem: Problem?
    ) -> ServiceError {
        // What came with a good status may hold tokens, however garbled.
        let isSecret = beginsSession && problem == nil && (200..<300).contains(response.status)
        return ServiceError(
            reason,
            status: response.status,
            requestId: response.headers[HeaderName.requestId] ?? problem?.requestId,
            problem: problem,
            retryAfter: response.headers.retryAfter(now: now()),
            body: isSecret ? Data() : Data(response.data.prefix(Self.keptBytes))
        )
    }

    /// Whether it has what every problem's type begins with; the name of a field may stand in good answers, too. Looks for
    /// the last character of that, which is rare in JSON.
    private static func mayBeProblem(_ data: Data) -> Bool {
        let mark: StaticString = "\"about:blank#"
        let before = mark.utf8CodeUnitCount - 1
        return data.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            var offset = 0
            while let hash = memchr(start + offset, Int32(UInt8(ascii: "#")), bytes.count - offset) {
                offset = UnsafeRawPointer(hash) - start
                if offset >= before, memcmp(start + offset - before, mark.utf8Start, before) == 0 { return true }
                offset += 1
            }
            return false
        }
    }

    private static func problem(in data: Data) -> Problem? {
        try? WireJSON.decode(Problem.self, from: data)
    }
}
