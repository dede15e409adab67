import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchService
import PouchWire

/// A refund of an order or of a part of it.
public struct RefundDraft: Sendable, Hashable {
    public enum Part: Sendable, Hashable {
        /// Everything that has not been refunded yet.
        case rest
        case amount(Money)
        /// Units, each with its share of discount and tax.
        case lines([Refund.Line])
    }

    public var part: Part
    /// For the shop's own records; 1 to 2,000 characters, and not blank.
    public var reason: String

    public init(_ part: Part, reason: String) {
        self.part = part
        self.reason = reason
    }
}

/// The orders of all customers. Each is named by its id or its number.
extension DataManager {
    /// A page of orders, newest first.
    public func allOrders(
        _ search: OrderSearch = OrderSearch(), limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<Order> {
        let query = AllOrdersQuery { ($0.search, $0.page) = (search, PageQuery(limit: limit, cursor: cursor)) }
        return try await page(Contract.allOrders, query: query)
    }

    public func managedOrder(id: String) async throws(DataError) -> ManagedOrder {
        try await perform(Contract.managedOrder, id)
    }

    /// - Parameter tracking: nil removes it.
    public func track(order id: String, _ tracking: Tracking?) async throws(DataError) -> Order {
        let patch = OrderPatch(tracking: tracking.map { .set($0) } ?? .clear)
        return try await perform(Contract.updateOrder, id, sending: patch)
    }

    public func cancelManagedOrder(id: String) async throws(DataError) -> Order {
        try await sendOnce(Contract.cancelManagedOrder, id)
    }

    public func fulfilOrder(id: String, tracking: Tracking? = nil) async throws(DataError) -> Order {
        try await sendOnce(Contract.fulfilOrder, id, sending: FulfilRequest(tracking: tracking))
    }

    public func deliverOrder(id: String) async throws(DataError) -> Order {
        try await sendOnce(Contract.deliverOrder, id)
    }

    /// Refunds an order. While the outcome is unknown, the same call is another try of the same refund, also in a later
    /// process.
    ///
    /// - Parameter idempotencyKey: the caller's own key, for a try that is known to be another refund.
    public func refundOrder(
        id: String, _ draft: RefundDraft, idempotencyKey: String? = nil
    ) async throws(DataError) -> Refund {
        let body =
            switch draft.part {
            case .rest: RefundOrderRequest(reason: draft.reason)
            case .amount(let amount): RefundOrderRequest(amount: amount, reason: draft.reason)
            case .lines(let lines):
                RefundOrderRequest(
                    lines: lines.map { LineRequest(sku: $0.sku, quantity: $0.quantity) }, reason: draft.reason)
            }
        return try await sendOnce(Contract.refundOrder, id, sending: body, key: idempotencyKey)
    }

    /// A note for the staff. While the outcome is unknown, the same call is another try of the same note.
    public func addNote(order id: String, _ text: String) async throws(DataError) -> OrderNote {
        try await sendOnce(Contract.addOrderNote, id, sending: OrderNoteRequest(text: text))
    }

    /// The packing slip as plain text.
    public func packingSlip(order id: String) async throws(DataError) -> String {
        let answer = try await answer(to: Contract.packingSlip.call(id))
        guard let text = String(bytes: answer.data, encoding: .utf8) else {
            throw DataError(.unreadableAnswer, requestId: answer.requestId, log: "the packing slip is not UTF-8")
        }
        return text
    }

    /// Downloads the orders as CSV, with one row for each line.
    public func exportOrders(_ search: OrderSearch = OrderSearch(), to file: URL) async throws(DataError) {
        try await download(EndpointCall(Contract.exportOrders.endpoint, query: search.queryString), to: file)
    }
}
