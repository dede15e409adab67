import Foundation
import PouchContract
import PouchEntities
import PouchWire

extension Caller {
    func change(
        _ sku: String, price: Int64? = nil, available: Int? = nil, adjust: Int? = nil
    ) async throws -> Answered<ManagedVariant> {
        try await call(
            Contract.updateVariant,
            VariantPatch(price: price.map { Money($0, .eur) }, available: available, adjust: adjust),
            path: ["sku": sku])
    }

    func addDiscount(_ terms: DiscountTerms, headers: [String: String] = [:]) async throws -> Answered<ManagedDiscount>
    {
        try await call(Contract.addDiscount, terms, headers: headers)
    }

    func changeDiscount(
        _ id: String, _ change: (inout DiscountPatch) -> Void
    ) async throws -> Answered<ManagedDiscount> {
        var patch = DiscountPatch()
        change(&patch)
        return try await call(Contract.updateDiscount, patch, path: ["id": id])
    }

    func schedule(
        _ sku: String, price: Int64 = 500, from startsAt: Date, until endsAt: Date
    ) async throws -> Answered<ScheduledPrice> {
        try await call(
            Contract.schedulePrice,
            ScheduledPriceRequest(sku: sku, price: Money(price, .eur), startsAt: startsAt, endsAt: endsAt))
    }

    /// Gives back an amount, or units of lines, or all that is left.
    func refund(
        _ id: String, amount: Int64? = nil, lines: [LineRequest]? = nil, key: String? = Caller.key()
    ) async throws -> Answered<Refund> {
        try await call(
            Contract.refundOrder,
            RefundOrderRequest(amount: amount.map { Money($0, .eur) }, lines: lines, reason: "late"),
            path: ["id": id], headers: key.map { [HeaderName.idempotencyKey: $0] } ?? [:])
    }

    func fulfil(_ id: String, headers: [String: String] = [:]) async throws -> Answered<Order> {
        try await call(Contract.fulfilOrder, path: ["id": id], headers: headers)
    }

    func deliver(_ id: String, headers: [String: String] = [:]) async throws -> Answered<Order> {
        try await call(Contract.deliverOrder, path: ["id": id], headers: headers)
    }
}

extension DiscountTerms {
    /// Ten percent off everything.
    static let ten = DiscountTerms(code: "TEN", kind: .percentage, basisPoints: 1000)
}
