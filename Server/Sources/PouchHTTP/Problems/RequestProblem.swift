import HTTPTypes
import PouchContract
import PouchEntities
import PouchWire

/// What is answered instead of what was asked for.
struct RequestProblem: Error {
    let code: ProblemCode
    /// One sentence for people.
    var detail: String?
    var fields: [FieldProblem]?
    var declineCode: String?
    var lines: [StockShortfall]?
    var changes: [CartChange]?
    var retryAfterSeconds: Int?
    var headers: HTTPFields = [:]

    init(_ code: ProblemCode, _ detail: String? = nil) {
        self.code = code
        self.detail = detail
    }

    func with(_ change: (inout RequestProblem) -> Void) -> RequestProblem {
        var copy = self
        change(&copy)
        return copy
    }

    func details(requestId: String?) -> ProblemDetails {
        ProblemDetails(
            Problem(code, detail: detail, requestId: requestId, errors: fields),
            declineCode: declineCode, lines: lines, changes: changes)
    }
}
