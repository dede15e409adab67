import Foundation
import PouchEntities

/// Changes the shop for its administrators: fulfils and delivers the orders of all customers. Extensions, in the files
/// of their rules, change variants, scheduled prices and discount codes.
public struct ShopAdministration: Sendable {
    let environment: DomainEnvironment
    private let delivery: OrderDelivery

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
        delivery = OrderDelivery(environment)
    }

    /// Marks an order as sent, and cancels its courier before the pick-up.
    ///
    /// - Parameters:
    ///   - orderId: the order's id or number.
    ///   - tracking: nil keeps the previous tracking data.
    /// - Throws: `DomainError.notFound`, `.versionConflict`, `.notFulfillable`, `.invalid`.
    public func fulfil(
        orderId: String, tracking: Tracking? = nil, ifMatch: Int?, in repositories: any Repositories
    ) throws -> OrderRecord {
        let tracking = try tracking.map { try $0.checked() }
        let record = try move(orderId, to: .fulfilled, otherwise: .notFulfillable, ifMatch: ifMatch, in: repositories) {
            if let tracking { $0.tracking = tracking }
        }
        try delivery.cancel(record, in: repositories)
        return record
    }

    /// Marks an order as delivered.
    ///
    /// - Parameter orderId: the order's id or number.
    /// - Throws: `DomainError.notFound`, `.versionConflict`, `.notDeliverable`.
    public func deliver(orderId: String, ifMatch: Int?, in repositories: any Repositories) throws -> OrderRecord {
        try move(orderId, to: .delivered, otherwise: .notDeliverable, ifMatch: ifMatch, in: repositories)
    }

    private func move(
        _ reference: String, to status: OrderStatus, otherwise refusal: DomainError, ifMatch: Int?,
        in repositories: any Repositories, also change: (inout Order) -> Void = { _ in }
    ) throws -> OrderRecord {
        var record = try repositories.orders.order(of: reference, locking: true)
        try record.check(ifMatch: ifMatch)
        guard OrderMachine.allows(record.order, to: status) else { throw refusal }
        record.order.enter(status, at: environment.time.now)
        change(&record.order)
        guard try repositories.orders.update(record) else { throw TransactionConflict() }
        record.version += 1
        try environment.events.append(record.order, in: repositories)
        return record
    }
}

/// Reads and annotates single orders for the staff.
extension ShopAdministration {
    /// An order with its customer, refunds and notes.
    ///
    /// - Parameter reference: the order's id or number.
    /// - Throws: `DomainError.notFound`, `MoneyError`.
    public func managedOrder(
        _ reference: String, in repositories: any Repositories
    ) throws -> (order: ManagedOrder, version: Int) {
        let record = try repositories.orders.order(of: reference)
        let refunds = try repositories.refunds.refunds(orderId: record.order.id)
        let holds = record.order.status == .pending && !record.hold.isReleased
        let order = ManagedOrder(
            order: record.order,
            customer: try repositories.accounts.account(id: record.ownerId)?.profile,
            refunds: refunds.map { $0.refund.refund(isPending: $0.isPending) },
            refundable: try RefundedOrder(record.order, in: repositories).refundable,
            holdExpiresAt: holds ? record.hold.expiresAt : nil,
            discountCode: record.discount?.code,
            notes: try repositories.orderNotes.notes(orderId: record.order.id))
        return (order, record.version)
    }

    /// Sets, corrects or removes the tracking number of an order that is sent or ready to be sent.
    ///
    /// - Parameter reference: the order's id or number.
    /// - Returns: the order before and after.
    /// - Throws: `DomainError.notFound`, `.versionConflict`, `.notFulfillable`, `.invalid`.
    public func track(
        _ reference: String, _ change: Tracking?, ifMatch: Int?, in repositories: any Repositories
    ) throws -> (before: Order, after: OrderRecord) {
        let tracking = try change.map { try $0.checked() }
        var record = try repositories.orders.order(of: reference, locking: true)
        try record.check(ifMatch: ifMatch)
        let before = record.order
        guard before.tracking != tracking else { return (before, record) }
        guard
            OrderMachine.allows(before, to: .fulfilled) || before.history.contains(where: { $0.status == .fulfilled })
        else { throw DomainError.notFulfillable }
        record.order.tracking = tracking
        guard try repositories.orders.update(record) else { throw TransactionConflict() }
        record.version += 1
        try environment.events.append(.orderDeliveryChanged, record.order, in: repositories)
        return (before, record)
    }

    /// Adds a note for the staff to an order.
    ///
    /// - Parameters:
    ///   - reference: the order's id or number.
    ///   - author: the staff member.
    /// - Throws: `DomainError.notFound`, `.limitReached`, `.invalid`.
    public func addNote(
        _ text: String, to reference: String, by author: Principal, in repositories: any Repositories
    ) throws -> OrderNote {
        try InvalidField.text("text", text, length: ModelLimits.noteLength).check()
        let order = try repositories.orders.order(of: reference, locking: true).order
        guard try repositories.orderNotes.notes(orderId: order.id).count < ModelLimits.notes else {
            throw DomainError.limitReached
        }
        let note = OrderNote(
            id: environment.ids.make(.orderNote), text: text,
            author: try repositories.accounts.account(id: author.ownerId)?.name, createdAt: environment.time.now)
        try repositories.orderNotes.insert(note, orderId: order.id)
        return note
    }
}

/// The notes of the staff. They are deleted with the data that identify their order's owner.
public protocol OrderNoteRepository {
    func insert(_ note: OrderNote, orderId: String) throws
    /// The notes, oldest first.
    func notes(orderId: String) throws -> [OrderNote]
}

extension RefundedOrder {
    /// The amount that can still be refunded, in total and for each line.
    var refundable: Refundable {
        get throws {
            guard [.captured, .partiallyRefunded, .refunded].contains(order.payment.status) else {
                return Refundable(amount: .zero(order.payment.amount.currency), lines: [])
            }
            let left = try left
            let calculator = try RefundCalculator(order: order, refundedTax: tax)
            return Refundable(
                amount: left,
                lines: try order.lines.compactMap { line in
                    let units = line.quantity - line.refundedQuantity
                    guard units > 0 else { return nil }
                    return Refundable.Line(
                        sku: line.sku, quantity: units,
                        amount: try calculator.amount(of: StockUnits(sku: line.sku, quantity: units)) ?? left)
                })
        }
    }
}

extension RefundCalculator {
    /// The refund of units; nil if it exceeds the rest of the charge, since an amount was refunded before.
    fileprivate func amount(of units: StockUnits) throws -> Money? {
        do {
            return try refund(.lines([units])).amount
        } catch DomainError.refundExceedsCapture {
            return nil
        }
    }
}

extension Tracking {
    /// The tracking data without white space around its texts.
    ///
    /// - Throws: `DomainError.invalid`.
    func checked() throws(DomainError) -> Tracking {
        let (carrier, number) = (
            carrier.trimmingCharacters(in: .whitespacesAndNewlines),
            number.trimmingCharacters(in: .whitespacesAndNewlines)
        )
        let range = ModelLimits.trackingLength
        var problems: [InvalidField] = []
        for (field, value) in [("carrier", carrier), ("number", number)]
        where !range.contains(value.unicodeScalars.count) || value.unicodeScalars.contains(where: \.isInvisible) {
            let detail = "\(field) must have \(range.lowerBound) to \(range.upperBound) visible characters."
            problems.add("tracking." + field, .outOfRange, detail)
        }
        if let url, !Self.isLink(url) {
            problems.add("tracking.url", .invalid, "The tracking URL must start with https:// and have a host.")
        }
        try problems.check()
        return Tracking(carrier: carrier, number: number, url: url)
    }

    private static func isLink(_ text: String) -> Bool {
        guard ModelLimits.urlLength.contains(text.utf8.count), let url = URL(string: text) else { return false }
        // A user name before the host could make the link look like one to another site.
        return url.scheme == "https" && url.host()?.isEmpty == false && url.user() == nil && url.password() == nil
            && text.unicodeScalars.allSatisfy { $0.isASCII && !$0.isInvisible }
    }
}
