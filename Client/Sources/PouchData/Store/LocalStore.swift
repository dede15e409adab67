/// What a device keeps of a shop: catalogue, carts, orders, and writes whose outcome is not known yet.
///
/// One store belongs to one server. Carts, orders and writes belong to an owner, an account's id or that of a guest's
/// session; what belongs to one is never given to another.
public protocol LocalStore: CatalogStore, PurchaseStore, PendingWriteStore {
    /// Removes all that belongs to the owner; the catalogue stays.
    func removeEverything(of owner: String) async throws(StoreError)
    /// Gives another owner those writes of the kinds that were never sent, and removes all else that belongs to the first:
    /// its keys mean nothing under another name, so what may have had its effect must not be sent again. Purchases that
    /// may have been made go over without their bodies, to be told and no more.
    func handOver(_ kinds: Set<PendingWrite.Kind>, from old: String, to new: String) async throws(StoreError)
}
