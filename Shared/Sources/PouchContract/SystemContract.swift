import PouchJSON
import PouchWire

extension Contract {
    public static let healthLive = Exchange<NoBody, Health>(.healthLive)
    public static let healthReady = Exchange<NoBody, Health>(.healthReady)
    public static let openAPI = Exchange<NoBody, JSONDocument>(.openAPI, .cached)
    public static let asset = Exchange<NoBody, RawBytes>(.asset, [.cached, .ranges])

    static let system: [any AnyExchange] = [healthLive, healthReady, openAPI, asset]
}

/// The successful response of the health checks.
public struct Health: Sendable, Equatable {
    public enum Status: String, JSONCodable, CaseIterable {
        /// The process runs.
        case live
        /// The database is reachable.
        case ready
    }

    public let status: Status

    public init(_ status: Status) {
        self.status = status
    }
}

extension Health: JSONModel {
    public static let json = JSONObject(Health.init, .field("status", \.status))
}
