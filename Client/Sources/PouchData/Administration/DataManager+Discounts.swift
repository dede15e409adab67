import PouchContract
import PouchEntities
import PouchService

extension DataManager {
    /// The latest first.
    public func discounts(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<ManagedDiscount> {
        try await page(Contract.discounts, .administration(.discounts(limit: limit, cursor: cursor)))
    }

    public func addDiscount(_ terms: DiscountTerms) async throws(DataError) -> ManagedDiscount {
        try await once(Contract.addDiscount, .addDiscount, sending: terms)
    }

    /// Sends what differs between the terms, so that what another administrator changed meanwhile stays.
    public func updateDiscount(
        id: String, from old: DiscountTerms, to new: DiscountTerms
    ) async throws(DataError) -> ManagedDiscount {
        try await perform(Contract.updateDiscount, sending: DiscountPatch(from: old, to: new)) {
            .administration(.updateDiscount(id: id, body: $0))
        }
    }

    public func deleteDiscount(id: String) async throws(DataError) {
        try await perform(Contract.deleteDiscount, .administration(.deleteDiscount(id: id)))
    }
}
