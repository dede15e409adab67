import PouchJSON
import PouchWire

extension Contract {
    public static let healthLive = Exchange<NoInput, Health>(
        "healthLive", .get, "/health/live", .anyone,
        about: "Responds while the process runs, for a supervisor's liveness probe.")
    public static let healthReady = Exchange<NoInput, Health>(
        "healthReady", .get, "/health/ready", .anyone,
        about: "Succeeds if the server can serve requests: its database responds and the catalogue is loaded.")
    public static let openAPI = Exchange<NoInput, JSONDocument>(
        "openAPI", .get, "/openapi.json", .anyone, .cached,
        about: "Returns the OpenAPI 3.1 description of this API, from which these pages are generated.")
    public static let asset = Exchange<NoInput, RawBytes>(
        "asset", .get, "/assets/{path...}", .anyone, [.cached, .ranges],
        about: "Returns a picture of the catalogue. The URL of an image in a response is such a path.")

    static let systemExchanges: [any AnyExchange] = [healthLive, healthReady, openAPI, asset]
}

/// The successful response of the health checks.
public struct Health: JSONModel, Equatable {
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

    public static let json = JSONObject(Health.init, .field("status", \.status))
}
