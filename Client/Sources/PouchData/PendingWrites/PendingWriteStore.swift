import Foundation

/// Writes with an unknown outcome, each with its idempotency key, in the order in which they were added.
///
/// In a store on disk they outlive the process.
public protocol PendingWriteStore: Sendable {
    /// Adds a write. One whose key is already stored is ignored.
    func add(_ write: PendingWrite) async throws(StoreError)
    /// Adds a write unless an earlier one asks for the same and was first sent after the moment, or never. This is one step,
    /// so that of two equal writes at once one is added.
    ///
    /// - Returns: the earlier write; nil where the new one was added.
    func addUnlessRepeated(_ write: PendingWrite, sentAfter moment: Date) async throws(StoreError) -> PendingWrite?
    /// Sets the date of a write's first try. Later dates are ignored.
    ///
    /// - Returns: whether the write is stored. It is not once another owner has adopted it.
    func markSent(key: String, of owner: String, at moment: Date) async throws(StoreError) -> Bool
    /// Removes a write. An unknown key is ignored.
    func removeWrite(key: String, of owner: String) async throws(StoreError)
    /// Replaces writes of one owner by another write, or removes them, in one step.
    ///
    /// - Returns: whether all of them were stored; otherwise nothing has changed.
    func replaceWrites(keys: Set<String>, of owner: String, with write: PendingWrite?) async throws(StoreError) -> Bool
    /// Expires writes that were first sent before the moment and can no longer be sent. Purchases lose their bodies, which
    /// may contain payment tokens; all other writes except cart edits are removed. Purchases and cart edits stay until their
    /// owner has been notified.
    func expire(sentBefore moment: Date) async throws(StoreError)
    func pendingWrites(of owner: String) async throws(StoreError) -> [PendingWrite]
}
