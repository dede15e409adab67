import Foundation
import PouchWire

/// Every call that the service takes, grouped by feature.
///
/// Ids and query values are primitives, a body is JSON that somebody else encoded; method and path template come from
/// the contract.
public enum Path: Sendable, Hashable {
    case system(System)
    case account(Account)
    case catalog(Catalog)
    case cart(Cart)
    case orders(Orders)
    case rides(Rides)
    case administration(Administration)

    public var endpoint: Endpoint { target.endpoint }

    var target: Target {
        switch self {
        case .system(let path): path.target
        case .account(let path): path.target
        case .catalog(let path): path.target
        case .cart(let path): path.target
        case .orders(let path): path.target
        case .rides(let path): path.target
        case .administration(let path): path.target
        }
    }
}
