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
