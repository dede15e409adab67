import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchContract
import PouchDomain
import PouchEntities
import PouchJSON
import PouchWire

/// A successful answer before it is encoded; `StoredAnswer` holds its bytes.
package struct Reply<Answer: Sendable>: Sendable {
    private let body: any JSONCodable
    /// Without quotes.
    private let etag: String?

    package init(_ answer: Answer, etag: String? = nil) where Answer: JSONCodable {
        body = answer
        self.etag = etag
    }

    /// Creates the shorter answer for `Prefer: return=minimal`.
    init(minimal: any JSONCodable, etag: String? = nil) {
        body = minimal
        self.etag = etag
    }

    func stored(status: Int) throws -> StoredAnswer {
        StoredAnswer(code: status, format: "application/json", tag: etag, body: try body.json())
    }
}

extension Reply<Order> {
    init(order record: OrderRecord) {
        self.init(record.order, etag: String(record.version))
    }
}

extension StoredAnswer {
    /// Encodes the outcome of a checkout, cancellation or refund as in the contract.
    public init(outcome: OrderOutcome) throws {
        switch outcome {
        case .placed(let order): self = try Reply(order: order).stored(status: Contract.checkout.status)
        case .cancelled(let order): self = try Reply(order: order).stored(status: Contract.cancelOrder.status)
        case .refunded(let refund, let isPending):
            self = try Reply(refund.refund(isPending: isPending)).stored(status: Contract.refundOrder.status)
        case .declined(let code):
            // Without a request id, because later requests with the same key get the same bytes.
            let details = RequestProblem(declineCode: code).details(requestId: nil)
            self.init(
                code: details.problem.status, format: Problem.mediaType, tag: nil, body: try details.json())
        }
    }

    /// The response, which no cache may store because it belongs to one principal.
    var response: Response {
        var headers: HTTPFields = [.contentType: format, .cacheControl: "no-store"]
        if let tag { headers[.eTag] = "\"\(tag)\"" }
        if isReplay { headers[.idempotentReplayed] = "true" }
        return Response(
            status: .init(code: code), headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }
}

extension Response {
    /// An answer without content.
    static func empty(_ status: Int) -> Response {
        Response(status: .init(code: status), headers: [.cacheControl: "no-store"])
    }
}
