/// Why a file was not loaded. What had arrived of it is kept beside the target, to go on from.
public enum DownloadError: Error, Sendable, Equatable {
    case network(NetworkError)
    /// The server answered, but not with the file; the body is cut at 64 KiB.
    case refused(NetworkResponse)
    /// The disk does not take it. The text is for logs.
    case storage(String)
}
