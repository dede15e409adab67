import Foundation
import PouchWire

/// A call to the service, grouped by feature. Ids and query values are primitives, and a body is JSON that the caller
/// has encoded. Method and path template come from the contract. Coordinates are in degrees.
///
///     let answer = try await service.call(.catalog(.product(handle: "hat")))
public enum Path: Sendable, Hashable {
    case system(System)
    case account(Account)
    case catalog(Catalog)
    case cart(Cart)
    case orders(Orders)
    case rides(Rides)
    case administration(Administration)
    case events(Events)
}

// MARK: - Endpoints

extension Path {
    public var endpoint: Endpoint { target.endpoint }

    var target: Target {
        switch self {
        case .system(let call): call.target
        case .account(let call): call.target
        case .catalog(let call): call.target
        case .cart(let call): call.target
        case .orders(let call): call.target
        case .rides(let call): call.target
        case .administration(let call): call.target
        case .events(let call): call.target
        }
    }

    /// The parts of a request that a path determines.
    struct Target {
        let endpoint: Endpoint
        var parameters: [String: String] = [:]
        var query = QueryString()
        var body: Data?
        /// A file that is sent as the body.
        var upload: (file: URL, mediaType: String)?

        /// Path and query, both percent-encoded.
        var reference: String {
            let path = endpoint.template.path(parameters)
            return query.items.isEmpty ? path : path + "?" + query.encoded
        }
    }
}

extension Path {
    public enum System: Sendable, Hashable {
        case healthLive
        case healthReady
        /// The description of the interface, OpenAPI 3.1.
        case openAPI
        /// A file of the shop. The answer may be any bytes.
        case asset(path: String)
    }
}

extension Path.System {
    var target: Path.Target {
        switch self {
        case .healthLive: .init(.healthLive)
        case .healthReady: .init(.healthReady)
        case .openAPI: .init(.openAPI)
        case .asset(let path): .init(.asset, ["path": path])
        }
    }
}

extension Path.Target {
    /// - Parameters:
    ///   - query: values that are nil are omitted.
    ///   - filter: further values.
    ///   - page: selects a page of a list.
    init(
        _ endpoint: Endpoint, _ parameters: [String: String] = [:], query: KeyValuePairs<String, String?> = [:],
        filter: QueryString = QueryString(), page: (limit: Int?, cursor: String?) = (nil, nil), body: Data? = nil
    ) {
        self.init(endpoint: endpoint, parameters: parameters, query: filter, body: body)
        for (name, value) in query { self.query.append(name, value) }
        self.query.append("limit", page.limit?.description)
        self.query.append("cursor", page.cursor)
    }
}
