import Hummingbird
import NIOCore

/// What is known of a request beside itself.
public struct PouchRequestContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// The network address of the other end, without its port.
    public let remoteAddress: String

    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress?.ipAddress ?? "unknown"
    }
}
