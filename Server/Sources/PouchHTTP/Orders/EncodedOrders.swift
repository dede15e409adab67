import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

/// The outcomes of a checkout as the contract answers them.
public struct EncodedOrders: OrderAnswers {
    public init() {}

    public func placed(_ order: OrderRecord) throws -> StoredAnswer {
        try answer(order, status: Contract.checkout.status)
    }

    public func cancelled(_ order: OrderRecord) throws -> StoredAnswer {
        try answer(order, status: Contract.cancelOrder.status)
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

    /// Without a request id: the answer is given again to other requests.
    public func declined(code: String) throws -> StoredAnswer {
        let problem = RequestProblem(DomainError.paymentDeclined(code: code)) ?? RequestProblem(.paymentDeclined)
        let details = problem.details(requestId: nil)
        return StoredAnswer(
            status: details.problem.status, mediaType: Problem.mediaType, body: try WireJSON.encode(details))
    }

    private func answer(_ record: OrderRecord, status: Int) throws -> StoredAnswer {
        try Reply(order: record).stored(status: status)
    }
}

extension Reply<Order> {
    init(order record: OrderRecord) {
        self.init(record.order, etag: String(record.version))
    }
}
