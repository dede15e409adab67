import Foundation
import PouchWire

extension Path {
    public enum Orders: Sendable, Hashable {
        case preview(body: Data)
        case buyNow(body: Data)
        case list(limit: Int? = nil, cursor: String? = nil)
        case order(id: String)
        case cancel(id: String)
        case changeDelivery(id: String, body: Data)

        var target: Target {
            switch self {
            case .preview(let body): Target(.previewOrder, body: body)
            case .buyNow(let body): Target(.buyNow, body: body)
            case .list(let limit, let cursor): Target(.orders, limit: limit, cursor: cursor)
            case .order(let id): Target(.order, ["id": id])
            case .cancel(let id): Target(.cancelOrder, ["id": id])
            case .changeDelivery(let id, let body): Target(.changeDelivery, ["id": id], body: body)
            }
        }
    }
}
