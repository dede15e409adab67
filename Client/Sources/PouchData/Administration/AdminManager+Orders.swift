import Foundation
import PouchContract
import PouchEntities
import PouchService
import PouchWire

/// A full or partial refund of an order.
public struct RefundDraft: Sendable, Hashable {
    public enum Part: Sendable, Hashable {
        /// Everything that has not been refunded yet.
        case rest
        case amount(Money)
        /// Units, each with its share of discount and tax.
        case lines([Refund.Line])
    }

    public var part: Part
    /// For the shop's records; 1 to 2,000 characters, and not blank.
    public var reason: String

    public init(_ part: Part, reason: String) {
        self.part = part
        self.reason = reason
    }

    var request: RefundOrderRequest {
        switch part {
        case .rest: RefundOrderRequest(reason: reason)
        case .amount(let amount): RefundOrderRequest(amount: amount, reason: reason)
        case .lines(let lines):
            RefundOrderRequest(lines: lines.map { LineRequest(sku: $0.sku, quantity: $0.quantity) }, reason: reason)
        }
    }
}

/// The orders of all customers. Each is named by its id or by its number, such as `P-10001`.
extension AdminManager {
    /// One page of orders, newest first.
    ///
    /// - Parameter search: by default all orders.
    public func orders(
        _ search: OrderSearch = OrderSearch(), limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<Order> {
        let query = AllOrdersQuery { ($0.search, $0.page) = (search, PageQuery(limit: limit, cursor: cursor)) }
        return try await data.page(Contract.allOrders, query: query)
    }

    /// All matching orders, newest first. A row that cannot be read ends the sequence with `.unreadableAnswer`, as in
    /// every list of the administration: rows are never omitted.
    public func allOrders(_ search: OrderSearch = OrderSearch()) -> AllPages<Order> {
        data.all(Contract.allOrders, query: AllOrdersQuery { $0.search = search })
    }

    /// An order with its customer, refunds, notes and refundable amount.
    ///
    /// - Throws: `.notFound`.
    public func order(_ id: String) async throws(DataError) -> ManagedOrder {
        try await data.perform(Contract.managedOrder, id)
    }

    /// Marks an order as shipped.
    ///
    /// - Parameter tracking: nil keeps the current tracking number.
    /// - Throws: `.notFulfillable`, `.validation` for an invalid tracking number.
    public func fulfil(id: String, tracking: Tracking? = nil) async throws(DataError) -> Order {
        try await data.sendOnce(Contract.fulfilOrder, id, sending: FulfilRequest(tracking: tracking))
    }

    /// Enters, corrects or removes the tracking number of an order that was sent or can be sent.
    ///
    /// - Parameter tracking: nil removes it.
    /// - Throws: `.notFulfillable`, `.validation`.
    public func track(id: String, _ tracking: Tracking?) async throws(DataError) -> Order {
        let patch = OrderPatch(tracking: tracking.map { .set($0) } ?? .clear)
        return try await data.perform(Contract.updateOrder, id, sending: patch)
    }

    /// Marks an order as delivered.
    public func deliver(id: String) async throws(DataError) -> Order {
        try await data.sendOnce(Contract.deliverOrder, id)
    }

    /// Cancels an order before fulfilment, restocks its units and refunds the rest of the charge. If the outcome is
    /// unknown, the call may be repeated.
    ///
    /// - Throws: `.notCancellable` once the order has been shipped.
    public func cancel(id: String) async throws(DataError) -> Order {
        try await data.sendOnce(Contract.cancelManagedOrder, id)
    }

    /// Refunds a part of an order's charge, or the rest of it. If the outcome is unknown, the call may be repeated,
    /// also by a later process if the store outlives this one: it has the same idempotency key, and refunds at most
    /// once.
    ///
    /// - Parameter key: the caller's idempotency key, to repeat the refund in another process without a store.
    /// - Throws: `.refundExceedsCapture`, `.validation` for a blank reason, an amount that is not above 0, or units
    ///   that the order does not have.
    public func refund(orderId: String, _ draft: RefundDraft, key: String? = nil) async throws(DataError) -> Refund {
        try await data.sendOnce(Contract.refundOrder, orderId, sending: draft.request, key: key)
    }

    /// The same with a key that the caller has just made.
    package func refund(
        orderId: String, _ draft: RefundDraft, newKey key: String
    ) async throws(DataError) -> Refund {
        try await data.sendOnce(Contract.refundOrder, orderId, sending: draft.request, key: key, isNewKey: true)
    }

    /// Adds a note that only staff can see.
    ///
    /// - Parameter text: 1 to 2,000 characters.
    public func addNote(_ text: String, toOrder id: String) async throws(DataError) -> OrderNote {
        try await data.sendOnce(Contract.addOrderNote, id, sending: OrderNoteRequest(text: text))
    }

    /// The packing slip as plain text with lines of at most 78 characters.
    public func packingSlip(id: String) async throws(DataError) -> String {
        let answer = try await data.answer(to: Contract.packingSlip.call(id))
        guard let text = String(bytes: answer.data, encoding: .utf8) else {
            throw DataError(.unreadableAnswer, requestId: answer.requestId, log: "the packing slip is not UTF-8")
        }
        return text
    }

    /// Downloads orders as CSV with one row for each line, newest first. Customers' texts are escaped so that they are
    /// safe to open in a spreadsheet, and cannot be imported again.
    ///
    /// - Parameter file: a file in an existing folder; it is created complete or not at all.
    public func exportOrders(_ search: OrderSearch = OrderSearch(), to file: URL) async throws(DataError) {
        try await data.download(EndpointCall(Contract.exportOrders.endpoint, query: search.queryString), to: file)
    }
}
