import HTTPTypes
import Hummingbird
import NIOCore
import PouchContract
import PouchDomain
import PouchWire

/// What is answered instead of what was asked for.
struct SandboxProblem: Error {
    let code: SandboxProblemCode
    /// One sentence for people.
    var detail: String?
    var fields: [FieldProblem]?

    init(_ code: SandboxProblemCode, _ detail: String? = nil) {
        self.code = code
        self.detail = detail
    }

    /// Translates what is thrown on the way.
    ///
    /// - Returns: nil for an error that nothing announces, which is ours and tells nothing outside.
    init?(_ error: any Error) {
        switch error {
        case let error as SandboxProblem: self = error
        case StrictJSON.Failure.fields(let problems):
            let isUnknown = problems.contains { $0.code == SandboxProblemCode.unknownField.rawValue }
            self.init(isUnknown ? .unknownField : .validationFailed, problems.first?.detail)
            fields = problems
        case is StrictJSON.Failure: self.init(.invalidJSON)
        case let error as QueryProblem: self.init(.invalidRequest, error.detail)
        case is NIOTooManyBytesError: self.init(.bodyTooLarge)
        case let error as HTTPError where error.status == .notFound: self.init(.notFound)
        case let error as HTTPError where error.status.kind == .clientError: self.init(.invalidRequest)
        case is OverloadError: self.init(.unavailable)
        default: return nil
        }
    }

    var response: Response {
        let problem = Problem(
            type: "about:blank#" + code.rawValue, title: code.title, status: code.status, detail: detail,
            code: ProblemCode(rawValue: code.rawValue), requestId: nil, errors: fields)
        // Encoding plain values cannot fail; were it to, the status still says what matters.
        let body = (try? WireJSON.encode(problem)).map { ByteBuffer(bytes: $0) } ?? ByteBuffer()
        return Response(
            status: .init(code: code.status), headers: [.contentType: Problem.mediaType],
            body: .init(byteBuffer: body))
    }
}
