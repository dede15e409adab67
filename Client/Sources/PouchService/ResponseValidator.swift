import Foundation
import PouchJSON
import PouchNetwork
import PouchWire

/// Decides whether a response is valid. It checks the status first and then the bytes, and ignores their media type,
/// which servers often get wrong.
///
/// A Pouch server explains each refusal in a problem document. A refusal without one comes from another program in
/// between, such as a gateway or the sign-in page of a Wi-Fi network, and says nothing about the call.
struct ResponseValidator {
    /// The maximum size of an error body that is stored, in bytes: enough for the problem of a cart with 500 changed
    /// lines.
    private static let keptBytes = 128 << 10
    /// The maximum size of the body of a successful response that is searched for an error, in bytes.
    private static let maxDisguisedErrorBytes = 4 << 10

    let kind: AnswerKind
    /// The status of a valid response; nil for any success.
    var status: Int?
    /// Whether the server explains refusals in problem documents. A server of plain files does not.
    let explainsRefusals: Bool
    var startsSession = false
    let mayBeUnmodified: Bool
    /// Compared with a date in `Retry-After`.
    let now: @Sendable () -> Date

    func validate(_ payload: NetworkPayload) -> Result<ServiceAnswer, ServiceError> {
        guard let response = payload.response else {
            let error = payload.error ?? .failed("neither response nor error")
            return .failure(ServiceError(ServiceError.Reason(error)).with(sendState: payload.sendState))
        }
        return validate(response).mapError { $0.with(sendState: payload.sendState) }
    }

    func validate(_ response: NetworkResponse) -> Result<ServiceAnswer, ServiceError> {
        switch response.status {
        case 204, mayBeUnmodified ? 304 : 204:
            return .success(ServiceAnswer(status: response.status, headers: response.headers, data: Data()))
        case 200..<300:
            if let fault = fault(in: response) { return .failure(fault) }
            return .success(ServiceAnswer(status: response.status, headers: response.headers, data: response.data))
        default:
            let problem = Self.problem(in: response.data)
            let isRefusal = problem != nil || !explainsRefusals
            return .failure(failure(isRefusal ? .refused : .unreadable("no problem document"), response, problem))
        }
    }

    /// The fault of a response whose status is a success.
    private func fault(in response: NetworkResponse) -> ServiceError? {
        // A response without a body is valid only by its status, which any program in between could send.
        if kind == .nothing, let status, response.status != status {
            return failure(.unreadable("status \(response.status)"), response, nil)
        }
        guard kind == .json else { return nil }
        guard let (first, last) = Self.ends(of: response.data) else {
            return failure(.unreadable("the body is empty"), response, nil)
        }
        switch (first, last) {
        case (UInt8(ascii: "{"), UInt8(ascii: "}")), (UInt8(ascii: "["), UInt8(ascii: "]")):
            // A body of the announced length is complete. Any other may have been truncated after an inner bracket.
            let isAnnounced = response.headers["Content-Length"] == String(response.data.count)
            guard !isAnnounced, Self.isOpen(response.data) else { break }
            fallthrough
        case (UInt8(ascii: "{"), _), (UInt8(ascii: "["), _):
            // An incomplete body must not replace a complete one in the cache.
            return failure(.unreadable("the body is truncated"), response, nil)
        default: return failure(.unreadable("the body is not JSON"), response, nil)
        }
        // Searches for the mark first, because decoding every short response as a problem would double the work.
        guard response.data.count <= Self.maxDisguisedErrorBytes, Self.mayBeProblem(response.data),
            let problem = Self.problem(in: response.data), problem.status >= 400
        else { return nil }
        return failure(.refused, response, problem)
    }

    /// Whether a bracket is not closed, which shows that the JSON was truncated. If a line ends within a string, the
    /// text is not JSON and cannot be checked.
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

    /// The first and the last byte that are not white space, after a byte order mark, with which files often start.
    private static func ends(of data: Data) -> (first: UInt8, last: UInt8)? {
        data.withUnsafeBytes { bytes in
            let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
            guard let first = text.first(where: isNotSpace), let last = text.last(where: isNotSpace) else { return nil }
            return (first, last)
        }
    }

    private static func isNotSpace(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): false
        default: true
        }
    }

    private func failure(
        _ reason: ServiceError.Reason, _ response: NetworkResponse, _ problem: Problem?
    ) -> ServiceError {
        // Even a garbled body may contain tokens if its status is a success.
        let isSecret = startsSession && problem == nil && (200..<300).contains(response.status)
        return ServiceError(
            reason,
            status: response.status,
            requestId: response.headers[HeaderName.requestId] ?? problem?.requestId,
            problem: problem,
            retryAfter: response.headers.retryAfter(now: now()),
            body: isSecret ? Data() : Data(response.data.prefix(Self.keptBytes))
        )
    }

    /// Whether the body contains the start of every problem's type. (A field name is not enough, because valid
    /// responses may use it.) Searches for the last character of the mark, which is rare in JSON.
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
        guard let problem = try? Problem(json: data), problem.isOfPouch else { return nil }
        return problem
    }
}

extension ResponseValidator {
    /// Downloads a file as soon as the queue has a place.
    func download(
        _ request: NetworkRequest, to file: URL, over network: NetworkSession, in queue: NetworkQueue,
        onProgress: @escaping @Sendable (_ received: Int64, _ total: Int64?) -> Void = { _, _ in }
    ) async throws(ServiceError) {
        do throws(DownloadError) {
            let headers = try await queue.run { () throws(DownloadError) in
                try await network.download(request, to: file, onProgress: onProgress)
            }
            if headers == nil { throw .network(.cancelled) }
        } catch {
            switch error {
            case .network(let error): throw ServiceError(ServiceError.Reason(error))
            case .storage(let text): throw ServiceError(.file(text))
            case .refused(let response): throw failure(of: response, expected: "the file")
            }
        }
    }

    /// The failure of a response that is not the expected content.
    func failure(of response: NetworkResponse, expected content: String) -> ServiceError {
        guard case .failure(let error) = validate(response) else {
            return ServiceError(.unreadable("the response is not \(content)"), status: response.status)
        }
        return error
    }

    init(endpoint: Endpoint, mayBeUnmodified: Bool, now: @escaping @Sendable () -> Date) {
        self.init(
            kind: endpoint.answer, status: endpoint.status, explainsRefusals: true,
            startsSession: endpoint.features.contains(.startsSession), mayBeUnmodified: mayBeUnmodified, now: now)
    }
}

extension NetworkPayload {
    fileprivate var sendState: ServiceError.SendState {
        if originalRequest.isSafe { return .readOnly }
        if attempts.dropLast().contains(where: \.mayHaveArrived) { return .earlierAttempt }
        return attempts.last?.mayHaveArrived == true ? .singleAttempt : .notSent
    }
}
