import PouchJSON
import PouchWire

extension Contract {
    public static let healthLive = Exchange<NoInput, Health>(
        "healthLive", .get, "/health/live", .anyone)
    public static let healthReady = Exchange<NoInput, Health>(
        "healthReady", .get, "/health/ready", .anyone)
    public static let openAPI = Exchange<NoInput, JSONDocument>(
        "openAPI", .get, "/openapi.json", .anyone, .cached)
    public static let asset = Exchange<NoInput, RawBytes>(
        "asset", .get, "/assets/{path...}", .anyone, [.cached, .ranges])

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
