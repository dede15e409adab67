import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

/// A successful answer before it is encoded.
struct Reply<Answer: Sendable>: Sendable {
    private let body: any Encodable & Sendable
    /// Without quotes.
    private let etag: String?

    init(_ answer: Answer, etag: String? = nil) where Answer: Encodable {
        body = answer
        self.etag = etag
    }

    /// The shorter body for `Prefer: return=minimal`.
    init(minimal: any Encodable & Sendable, etag: String? = nil) {
        body = minimal
        self.etag = etag
    }

    func stored(status: Int) throws -> StoredAnswer {
        StoredAnswer(status: status, mediaType: "application/json", body: try WireJSON.encode(body), etag: etag)
    }
}

extension Reply<Order> {
    init(order record: OrderRecord) {
        self.init(record.order, etag: String(record.version))
    }
}

extension StoredAnswer {
    /// The response, which no cache may store because it belongs to one principal.
    func response(isReplay: Bool = false) -> Response {
        var headers: HTTPFields = [.contentType: mediaType, .cacheControl: "no-store"]
        if let etag { headers[.eTag] = "\"\(etag)\"" }
        if isReplay { headers[.idempotentReplayed] = "true" }
        return Response(
            status: .init(code: status), headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }
}

extension StoredAnswer {
    var response: Response { answer.response(isReplay: isReplay) }
}

extension Response {
    static var noContent: Response { Response(status: .noContent, headers: [.cacheControl: "no-store"]) }
}

/// The outcomes of checkouts, cancellations and refunds, encoded as the contract answers them.
public struct EncodedOrders: OrderAnswers {
    public init() {}

    public func placed(_ order: OrderRecord) throws -> StoredAnswer {
        try Reply(order: order).stored(status: Contract.checkout.status)
    }

    public func cancelled(_ order: OrderRecord) throws -> StoredAnswer {
        try Reply(order: order).stored(status: Contract.cancelOrder.status)
    }

    public func refunded(_ refund: RefundRecord, isPending: Bool) throws -> StoredAnswer {
        let answer = Refund(
            id: refund.id, amount: refund.amount, createdAt: refund.createdAt,
            status: isPending ? .pending : .succeeded,
            lines: refund.lines.isEmpty
                ? nil : refund.lines.map { Refund.Line(sku: $0.sku, quantity: $0.quantity) },
            reason: refund.reason)
        return try Reply(answer).stored(status: Contract.refundOrder.status)
    }

    /// Without a request id, because later requests with the same key get the same bytes.
    public func declined(code: String) throws -> StoredAnswer {
        let details = RequestProblem(domain: .paymentDeclined(code: code)).details(requestId: nil)
        return StoredAnswer(
            status: details.problem.status, mediaType: Problem.mediaType, body: try WireJSON.encode(details))
    }
}
