import Foundation
import PouchWire

extension Path {
    public enum Administration: Sendable, Hashable {
        /// Sends the bytes of the file unchanged.
        case importCatalog(file: URL, mediaType: String, format: String, dryRun: Bool)
        case products(ProductCalls)
        case catalogImport(id: String)
        case updateVariant(sku: String, body: Data)
        case discounts(limit: Int? = nil, cursor: String? = nil)
        case addDiscount(body: Data)
        case updateDiscount(id: String, body: Data)
        case deleteDiscount(id: String)
        case scheduledPrices(sku: String? = nil, limit: Int? = nil, cursor: String? = nil)
        case schedulePrice(body: Data)
        case deleteScheduledPrice(id: String)
        case orders(filter: QueryString = QueryString(), limit: Int? = nil, cursor: String? = nil)
        case order(id: String)
        case updateOrder(id: String, body: Data)
        case cancel(id: String)
        case fulfil(id: String, body: Data)
        case deliver(id: String)
        case refund(id: String, body: Data)
        case addNote(id: String, body: Data)
        case packingSlip(id: String)
        case customers(search: String? = nil, limit: Int? = nil, cursor: String? = nil)
        case customer(id: String)
        case sales(from: String? = nil, until: String? = nil, by: String? = nil)
        case stock(low: Bool? = nil, threshold: Int? = nil, limit: Int? = nil, cursor: String? = nil)
        case exportOrders(filter: QueryString = QueryString())
        case exportCustomers
        case exportStock
        case staff(limit: Int? = nil, cursor: String? = nil)
        case inviteStaff(body: Data)
        case changeStaffRole(id: String, body: Data)
        case removeStaff(id: String)
        case apiKeys(limit: Int? = nil, cursor: String? = nil)
        case createAPIKey(body: Data)
        case revokeAPIKey(id: String)
    }
}

extension Path.Administration {
    var target: Path.Target {
        switch self {
        case .importCatalog(let file, let mediaType, let format, let dryRun):
            .init(
                endpoint: .importCatalog,
                query: QueryString([
                    .init(name: "format", value: format), .init(name: "dryRun", value: dryRun.description),
                    .init(name: "name", value: file.lastPathComponent),
                ]),
                upload: (file, mediaType))
        case .products(let call): call.target
        case .catalogImport(let id): .init(.catalogImport, ["id": id])
        case .updateVariant(let sku, let body): .init(.updateVariant, ["sku": sku], body: body)
        case .discounts(let limit, let cursor): .init(.discounts, page: (limit, cursor))
        case .addDiscount(let body): .init(.addDiscount, body: body)
        case .updateDiscount(let id, let body): .init(.updateDiscount, ["id": id], body: body)
        case .deleteDiscount(let id): .init(.deleteDiscount, ["id": id])
        case .scheduledPrices(let sku, let limit, let cursor):
            .init(.scheduledPrices, query: ["sku": sku], page: (limit, cursor))
        case .schedulePrice(let body): .init(.schedulePrice, body: body)
        case .deleteScheduledPrice(let id): .init(.deleteScheduledPrice, ["id": id])
        case .orders(let filter, let limit, let cursor):
            .init(.allOrders, filter: filter, page: (limit, cursor))
        case .order(let id): .init(.managedOrder, ["id": id])
        case .updateOrder(let id, let body): .init(.updateOrder, ["id": id], body: body)
        case .cancel(let id): .init(.cancelManagedOrder, ["id": id])
        case .fulfil(let id, let body): .init(.fulfilOrder, ["id": id], body: body)
        case .deliver(let id): .init(.deliverOrder, ["id": id])
        case .refund(let id, let body): .init(.refundOrder, ["id": id], body: body)
        case .addNote(let id, let body): .init(.addOrderNote, ["id": id], body: body)
        case .packingSlip(let id): .init(.packingSlip, ["id": id])
        case .customers(let search, let limit, let cursor):
            .init(.customers, query: ["q": search], page: (limit, cursor))
        case .customer(let id): .init(.customer, ["id": id])
        case .sales(let from, let until, let step):
            .init(.salesReport, query: ["from": from, "until": until, "by": step])
        case .stock(let low, let threshold, let limit, let cursor):
            .init(
                .stockLevels, query: ["low": low?.description, "threshold": threshold?.description],
                page: (limit, cursor))
        case .exportOrders(let filter): .init(endpoint: .exportOrders, query: filter)
        case .exportCustomers: .init(.exportCustomers)
        case .exportStock: .init(.exportStock)
        case .staff(let limit, let cursor): .init(.staff, page: (limit, cursor))
        case .inviteStaff(let body): .init(.inviteStaff, body: body)
        case .changeStaffRole(let id, let body): .init(.changeStaffRole, ["id": id], body: body)
        case .removeStaff(let id): .init(.removeStaff, ["id": id])
        case .apiKeys(let limit, let cursor): .init(.apiKeys, page: (limit, cursor))
        case .createAPIKey(let body): .init(.createAPIKey, body: body)
        case .revokeAPIKey(let id): .init(.revokeAPIKey, ["id": id])
        }
    }
}

extension Path {
    public enum Events: Sendable, Hashable {
        case list(after: String? = nil, order: String? = nil, type: String? = nil, limit: Int? = nil)
        /// The times are in RFC 3339.
        case audit(
            actor: String? = nil, action: String? = nil, object: String? = nil, from: String? = nil,
            until: String? = nil, limit: Int? = nil, cursor: String? = nil)
        case webhooks(limit: Int? = nil, cursor: String? = nil)
        case addWebhook(body: Data)
        case webhook(id: String)
        case updateWebhook(id: String, body: Data)
        case deleteWebhook(id: String)
        case rotateSecret(id: String)
        case deliveries(webhookId: String, status: String? = nil, limit: Int? = nil, cursor: String? = nil)
        case redeliver(id: String)
    }
}

extension Path.Events {
    var target: Path.Target {
        switch self {
        case .list(let after, let order, let type, let limit):
            .init(.shopEvents, query: ["after": after, "order": order, "type": type], page: (limit, nil))
        case .audit(let actor, let action, let object, let from, let until, let limit, let cursor):
            .init(
                .auditLog,
                query: ["actor": actor, "action": action, "object": object, "from": from, "until": until],
                page: (limit, cursor))
        case .webhooks(let limit, let cursor): .init(.webhooks, page: (limit, cursor))
        case .addWebhook(let body): .init(.addWebhook, body: body)
        case .webhook(let id): .init(.webhook, ["id": id])
        case .updateWebhook(let id, let body): .init(.updateWebhook, ["id": id], body: body)
        case .deleteWebhook(let id): .init(.deleteWebhook, ["id": id])
        case .rotateSecret(let id): .init(.rotateWebhookSecret, ["id": id])
        case .deliveries(let id, let status, let limit, let cursor):
            .init(.webhookDeliveries, ["id": id], query: ["status": status], page: (limit, cursor))
        case .redeliver(let id): .init(.redeliverWebhook, ["id": id])
        }
    }
}

extension Path {
    /// Products, the parts of the catalogue, and the front page, as administrators change them.
    public enum ProductCalls: Sendable, Hashable {
        case list(
            status: String? = nil, text: String? = nil, category: String? = nil, limit: Int? = nil,
            cursor: String? = nil)
        case add(body: Data)
        /// The key is an id or a handle.
        case product(key: String)
        case update(key: String, body: Data)
        /// Sends the bytes of the file unchanged.
        case addPicture(file: URL, mediaType: String)
        case export
        case categories(limit: Int? = nil, cursor: String? = nil)
        case setCategory(id: String, body: Data)
        case deleteCategory(id: String)
        case seasons(limit: Int? = nil, cursor: String? = nil)
        case setSeason(id: String, body: Data)
        case deleteSeason(id: String)
        case themes(limit: Int? = nil, cursor: String? = nil)
        case setTheme(id: String, body: Data)
        case deleteTheme(id: String)
        case promotions(limit: Int? = nil, cursor: String? = nil)
        case setPromotions(body: Data)
    }
}

extension Path.ProductCalls {
    var target: Path.Target {
        switch self {
        case .list(let status, let text, let category, let limit, let cursor):
            .init(
                .managedProducts, query: ["status": status, "q": text, "category": category], page: (limit, cursor))
        case .add(let body): .init(.addProduct, body: body)
        case .product(let key): .init(.managedProduct, ["id": key])
        case .update(let key, let body): .init(.updateProduct, ["id": key], body: body)
        case .addPicture(let file, let mediaType): .init(endpoint: .addPicture, upload: (file, mediaType))
        case .export: .init(.exportProducts)
        case .categories(let limit, let cursor): .init(.managedCategories, page: (limit, cursor))
        case .setCategory(let id, let body): .init(.setCategory, ["id": id], body: body)
        case .deleteCategory(let id): .init(.deleteCategory, ["id": id])
        case .seasons(let limit, let cursor): .init(.managedSeasons, page: (limit, cursor))
        case .setSeason(let id, let body): .init(.setSeason, ["id": id], body: body)
        case .deleteSeason(let id): .init(.deleteSeason, ["id": id])
        case .themes(let limit, let cursor): .init(.managedThemes, page: (limit, cursor))
        case .setTheme(let id, let body): .init(.setTheme, ["id": id], body: body)
        case .deleteTheme(let id): .init(.deleteTheme, ["id": id])
        case .promotions(let limit, let cursor): .init(.managedPromotions, page: (limit, cursor))
        case .setPromotions(let body): .init(.setPromotions, body: body)
        }
    }
}
