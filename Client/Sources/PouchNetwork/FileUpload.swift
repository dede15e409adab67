import Foundation

/// A file that is sent as a request's body, read while it is sent.
public struct FileUpload: Sendable, Equatable {
    public let file: URL
    /// Told the bytes that were sent so far and those of the whole file, from any thread; some transports never tell.
    public let onProgress: @Sendable (_ sent: Int64, _ total: Int64) -> Void

    public init(file: URL, onProgress: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void = { _, _ in }) {
        self.file = file
        self.onProgress = onProgress
    }

    /// Whether the same file is sent, whoever is told of it.
    public static func == (left: FileUpload, right: FileUpload) -> Bool {
        left.file == right.file
    }
}
