import Foundation
import PouchContract
import PouchEntities
import PouchWire

extension Caller {
    /// Gives back so many minor units, or all that is left.
    func refund(_ id: String, amount: Int64? = nil, key: String = Caller.key()) async throws -> Answered<Refund> {
        try await refund(
            id, RefundOrderRequest(amount: amount.map { Money($0, .eur) }, reason: "Moths"), key: key)
    }

    func refund(_ id: String, lines: [LineRequest], key: String = Caller.key()) async throws -> Answered<Refund> {
        try await refund(id, RefundOrderRequest(lines: lines, reason: "Moths"), key: key)
    }

    private func refund(_ id: String, _ request: RefundOrderRequest, key: String) async throws -> Answered<Refund> {
        try await call(
            Contract.refundOrder, request, path: ["id": id], headers: [HeaderName.idempotencyKey: key])
    }

    func cancel(_ id: String, key: String = Caller.key()) async throws -> Answered<Order> {
        try await call(Contract.cancelOrder, path: ["id": id], headers: [HeaderName.idempotencyKey: key])
    }
}
