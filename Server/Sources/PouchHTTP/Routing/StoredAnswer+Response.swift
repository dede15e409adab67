import HTTPTypes
import Hummingbird
import NIOCore
import PouchDomain

extension StoredAnswer {
    /// Answers of principals are theirs alone: nobody on the way may keep them.
    func response(isReplay: Bool = false) -> Response {
        var headers: HTTPFields = [.contentType: mediaType, .cacheControl: "no-store"]
        if let etag { headers[.eTag] = "\"\(etag)\"" }
        if isReplay { headers[.idempotentReplayed] = "true" }
        return Response(
            status: .init(code: status), headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }
}
