import Foundation
import Hummingbird
import Logging
import NIOCore

/// What is known of a request beside itself.
public struct PouchRequestContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// The name of the request in answers and logs.
    public let requestId: String
    /// The network address of the other end, without its port.
    public let remoteAddress: String
    /// The connection that the request came over.
    let channel: any Channel

    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        // Hummingbird keeps its id in the logger, and a logger may drop what it is given.
        requestId = source.logger[metadataKey: "hb.request.id"]?.description ?? UUID().uuidString
        remoteAddress = source.channel.remoteAddress?.ipAddress ?? "unknown"
        channel = source.channel
    }
}
