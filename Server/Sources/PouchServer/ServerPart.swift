import Logging
import PouchDomain
import PouchHTTP

/// A part of the server that it can be built and run without, such as rides.
///
///     configuration.parts = [Rides()]
///
/// The program chooses the parts; nothing else in the server imports them.
public protocol ServerPart: Sendable {
    /// The settings that all servers on one database must share, by their options.
    var sharedSettings: [String: String] { get }

    /// The courier who delivers the shop's orders; nil if the part has none for this shop.
    func courier(of shop: ShopSettings) -> (any Courier)?

    /// Prepares the database, and returns the routes and the background work.
    func open(_ services: ShopServices, logger: Logger) async throws -> OpenPart
}

/// The routes and the background work of a part of the server.
public struct OpenPart: Sendable {
    let routes: RoutesOfPart
    let jobs: [Job]

    package init(routes: RoutesOfPart, jobs: [Job]) {
        self.routes = routes
        self.jobs = jobs
    }
}
