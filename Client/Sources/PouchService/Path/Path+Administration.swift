import Foundation
import PouchWire

extension Path {
    public enum Administration: Sendable, Hashable {
        /// The file is sent as it is.
        case importCatalog(file: URL, mediaType: String, format: String, dryRun: Bool)
        case catalogImport(id: String)
        case updateVariant(sku: String, body: Data)
        case discounts(limit: Int? = nil, cursor: String? = nil)
        case addDiscount(body: Data)
        case updateDiscount(id: String, body: Data)
        case deleteDiscount(id: String)
        case scheduledPrices(sku: String? = nil, limit: Int? = nil, cursor: String? = nil)
        case schedulePrice(body: Data)
        case deleteScheduledPrice(id: String)
        case orders(status: String? = nil, limit: Int? = nil, cursor: String? = nil)
        case fulfil(id: String)
        case deliver(id: String)
        case refund(id: String, body: Data)

        var target: Target {
            switch self {
            case .importCatalog(let file, let mediaType, let format, let dryRun):
                Target(
                    .importCatalog,
                    query: QueryString([
                        .init(name: "format", value: format), .init(name: "dryRun", value: String(dryRun)),
                    ]),
                    upload: .init(file: file, mediaType: mediaType))
            case .catalogImport(let id): Target(.catalogImport, ["id": id])
            case .updateVariant(let sku, let body): Target(.updateVariant, ["sku": sku], body: body)
            case .discounts(let limit, let cursor): Target(.discounts, limit: limit, cursor: cursor)
            case .addDiscount(let body): Target(.addDiscount, body: body)
            case .updateDiscount(let id, let body): Target(.updateDiscount, ["id": id], body: body)
            case .deleteDiscount(let id): Target(.deleteDiscount, ["id": id])
            case .scheduledPrices(let sku, let limit, let cursor):
                Target(.scheduledPrices, filter: ("sku", sku), limit: limit, cursor: cursor)
            case .schedulePrice(let body): Target(.schedulePrice, body: body)
            case .deleteScheduledPrice(let id): Target(.deleteScheduledPrice, ["id": id])
            case .orders(let status, let limit, let cursor):
                Target(.allOrders, filter: ("status", status), limit: limit, cursor: cursor)
            case .fulfil(let id): Target(.fulfilOrder, ["id": id])
            case .deliver(let id): Target(.deliverOrder, ["id": id])
            case .refund(let id, let body): Target(.refundOrder, ["id": id], body: body)
            }
        }
    }
}
