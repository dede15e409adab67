/// A shop's data on a device: catalogue, carts, orders, and writes with an unknown outcome.
///
/// One store belongs to one server. Carts, orders and writes belong to an owner, which is an account's id or a guest's
/// session id, and are never given to another owner except by `handOver`.
public protocol LocalStore: CatalogStore, PurchaseStore, PendingWriteStore {
    func removeEverything(of owner: String) async throws(StoreError)
    /// Gives the unsent writes of some kinds to another owner, and removes everything else of the first one. A write
    /// that may have had its effect is not sent again; such purchases are handed over without their bodies, only to be
    /// reported.
    func handOver(_ kinds: Set<PendingWrite.Kind>, from old: String, to new: String) async throws(StoreError)
}

/// The reason why the local store failed.
public struct StoreError: Error, Sendable, Equatable {
    public enum Reason: Sendable, Equatable {
        /// The file cannot be opened, read or written: a full disk, missing permission, or a disk that fails.
        case unavailable
        /// The file's content is not what this store wrote. Opening it again sets it aside.
        case damaged
        /// A later version wrote the file, which is left unchanged.
        case newerVersion
        /// The cursor belongs to another query or an earlier catalogue: read the list from its first page.
        case listChanged
        /// Another import has started since, or this one was published or abandoned.
        case importEnded
    }

    public let reason: Reason
    /// One line for logs, without secrets.
    public let log: String

    public init(_ reason: Reason, log: String = "") {
        self.reason = reason
        self.log = log
    }
}

extension StoreError: CustomStringConvertible {
    public var description: String { log.isEmpty ? "\(reason)" : "\(reason) (\(log))" }
}
