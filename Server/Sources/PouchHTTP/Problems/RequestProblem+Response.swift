import HTTPTypes
import Hummingbird
import NIOCore
import PouchWire

extension RequestProblem {
    func response(requestId: String) -> Response {
        let status = code.row?.status ?? 500
        var headers = headers
        headers[.contentType] = Problem.mediaType
        headers[.cacheControl] = "no-store"
        if let retryAfterSeconds { headers[.retryAfter] = String(retryAfterSeconds) }
        if let row = code.row, row.hasAdvice { headers[.shouldRetry] = row.shouldRetry ? "true" : "false" }
        if status == 401 { headers[.wwwAuthenticate] = "Bearer" }
        // Encoding plain values cannot fail; were it to, the status still says what matters.
        let body = (try? WireJSON.encode(details(requestId: requestId))).map { ByteBuffer(bytes: $0) } ?? ByteBuffer()
        return Response(status: .init(code: status), headers: headers, body: .init(byteBuffer: body))
    }
}
