import Foundation

/// Writes whose outcome is not known, each with its idempotency key, in the order in which they were added.
///
/// What is added here outlives the process, where anything in the store does.
public protocol PendingWriteStore: Sendable {
    /// A write whose key is there already is ignored.
    func add(_ write: PendingWrite) async throws(StoreError)
    /// The earlier write that asks for the same and was first sent after the moment; nil where there is none, and then the
    /// write itself was added. In one step, so that of two equal writes at once one is added.
    func addUnlessRepeated(_ write: PendingWrite, sentAfter moment: Date) async throws(StoreError) -> PendingWrite?
    /// Notes when a write is sent for the first time; later moments are ignored.
    ///
    /// - Returns: whether the write is there; it is not where its owner has gone.
    func markSent(key: String, of owner: String, at moment: Date) async throws(StoreError) -> Bool
    /// Removes a write; one that is not there is no error.
    func removeWrite(key: String, of owner: String) async throws(StoreError)
    /// Puts a write, or nothing, in the place of others of the same owner, in one step.
    ///
    /// - Returns: whether all of those were there; else nothing has changed.
    func replaceWrites(keys: Set<String>, of owner: String, with write: PendingWrite?) async throws(StoreError) -> Bool
    /// Lets go of what was first sent before the moment, and so can no longer be sent: of purchases the bodies, which may
    /// hold payment tokens, and all other writes but the edits to carts. Purchases and edits stay until whose they are
    /// has been told.
    func expire(sentBefore moment: Date) async throws(StoreError)
    func pendingWrites(of owner: String) async throws(StoreError) -> [PendingWrite]
}
