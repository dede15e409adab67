/// Why the local store could not do what it was asked.
public struct StoreError: Error, Sendable, Equatable {
    public enum Reason: Sendable, Equatable {
        /// The file cannot be opened, read or written: no room, no permission, a disk that fails.
        case unavailable
        /// The file is not what this store wrote. Opening it again sets it aside.
        case damaged
        /// The file was written by a later version, and is left as it is.
        case newerVersion
        /// The cursor is of another query or an earlier catalogue: the list has to be read from its beginning.
        case listChanged
        /// Another import was begun since, or this one was published or abandoned.
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
