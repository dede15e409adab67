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

    public enum System: Sendable, Hashable {
        case healthLive
        case healthReady
        /// The description of the interface, OpenAPI 3.1.
        case openAPI
        /// A file of the shop. The answer may be any bytes.
        case asset(path: String)
    }

    public enum Account: Sendable, Hashable {
        case signUp(body: Data)
        case signIn(body: Data)
        case startGuestSession
        case refreshSession(body: Data)
        case signOut
        case profile
        case updateProfile(body: Data)
        case delete(body: Data)
        case changePassword(body: Data)
        case requestPasswordReset(body: Data)
        case resetPassword(body: Data)
        case requestVerification
        case verifyEmail(body: Data)
        case changeEmail(body: Data)
        case sessions(limit: Int? = nil, cursor: String? = nil)
        case endSession(id: String)
        case export
        case addresses(limit: Int? = nil, cursor: String? = nil)
        case addAddress(body: Data)
        case updateAddress(id: String, body: Data)
        case deleteAddress(id: String)
        case confirmSession(body: Data)
        case secondFactor
        case beginSecondFactor
        case enableSecondFactor(body: Data)
        case removeSecondFactor
        case acceptInvitation(body: Data)
    }

    public enum Catalog: Sendable, Hashable {
        case seasons(limit: Int? = nil, cursor: String? = nil)
        case themes(season: String? = nil, limit: Int? = nil, cursor: String? = nil)
        case categories(season: String? = nil, limit: Int? = nil, cursor: String? = nil)
        case promotions(limit: Int? = nil, cursor: String? = nil)
        case products(QueryString)
        case product(handle: String)
        case availability(skus: [String])
    }

    public enum Cart: Sendable, Hashable {
        case current
        case clear
        case addLine(body: Data)
        case setLine(sku: String, body: Data)
        case removeLine(sku: String)
        case setDiscount(body: Data)
        case removeDiscount
        case shippingMethods(
            country: String? = nil, postalCode: String? = nil, latitude: Double? = nil, longitude: Double? = nil)
        case setShipping(body: Data)
        case checkout(body: Data)
    }

    public enum Orders: Sendable, Hashable {
        case preview(body: Data)
        case buyNow(body: Data)
        case list(limit: Int? = nil, cursor: String? = nil)
        case order(id: String)
        case cancel(id: String)
        case changeDelivery(id: String, body: Data)
        /// Server-sent events, for `APIWrapper.events`.
        case events(id: String)
        case byLink(body: Data)
    }

    public enum Rides: Sendable, Hashable {
        case places(
            search: String? = nil, latitude: Double? = nil, longitude: Double? = nil, limit: Int? = nil,
            cursor: String? = nil)
        case options(latitude: Double, longitude: Double)
        case quote(body: Data)
        case request(body: Data)
        case list(limit: Int? = nil, cursor: String? = nil)
        case ride(id: String)
        case cancel(id: String)
        case receipt(id: String)
        /// Server-sent events, for `APIWrapper.events`.
        case events(id: String)
    }

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

    public enum Events: Sendable, Hashable {
        case list(after: String? = nil, type: String? = nil, limit: Int? = nil)
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

// MARK: - Endpoints

extension Path {
    public var endpoint: Endpoint { target.endpoint }

    var target: Target {
        switch self {
        case .system(.healthLive): Target(.healthLive)
        case .system(.healthReady): Target(.healthReady)
        case .system(.openAPI): Target(.openAPI)
        case .system(.asset(let path)): Target(.asset, ["path": path])

        case .account(.signUp(let body)): Target(.signUp, body: body)
        case .account(.signIn(let body)): Target(.signIn, body: body)
        case .account(.startGuestSession): Target(.startGuestSession)
        case .account(.refreshSession(let body)): Target(.refreshSession, body: body)
        case .account(.signOut): Target(.signOut)
        case .account(.profile): Target(.profile)
        case .account(.updateProfile(let body)): Target(.updateProfile, body: body)
        case .account(.delete(let body)): Target(.deleteAccount, body: body)
        case .account(.changePassword(let body)): Target(.changePassword, body: body)
        case .account(.requestPasswordReset(let body)): Target(.requestPasswordReset, body: body)
        case .account(.resetPassword(let body)): Target(.resetPassword, body: body)
        case .account(.requestVerification): Target(.requestVerification)
        case .account(.verifyEmail(let body)): Target(.verifyEmail, body: body)
        case .account(.changeEmail(let body)): Target(.changeEmail, body: body)
        case .account(.sessions(let limit, let cursor)): Target(.accountSessions, page: (limit, cursor))
        case .account(.endSession(let id)): Target(.endSession, ["id": id])
        case .account(.export): Target(.exportAccount)
        case .account(.addresses(let limit, let cursor)): Target(.addresses, page: (limit, cursor))
        case .account(.addAddress(let body)): Target(.addAddress, body: body)
        case .account(.updateAddress(let id, let body)): Target(.updateAddress, ["id": id], body: body)
        case .account(.deleteAddress(let id)): Target(.deleteAddress, ["id": id])
        case .account(.confirmSession(let body)): Target(.confirmSession, body: body)
        case .account(.secondFactor): Target(.secondFactor)
        case .account(.beginSecondFactor): Target(.beginSecondFactor)
        case .account(.enableSecondFactor(let body)): Target(.enableSecondFactor, body: body)
        case .account(.removeSecondFactor): Target(.removeSecondFactor)
        case .account(.acceptInvitation(let body)): Target(.acceptInvitation, body: body)

        case .catalog(.seasons(let limit, let cursor)): Target(.seasons, page: (limit, cursor))
        case .catalog(.themes(let season, let limit, let cursor)):
            Target(.themes, query: ["season": season], page: (limit, cursor))
        case .catalog(.categories(let season, let limit, let cursor)):
            Target(.categories, query: ["season": season], page: (limit, cursor))
        case .catalog(.promotions(let limit, let cursor)): Target(.promotions, page: (limit, cursor))
        case .catalog(.products(let query)): Target(endpoint: .products, query: query)
        case .catalog(.product(let handle)): Target(.product, ["handle": handle])
        case .catalog(.availability(let skus)):
            Target(endpoint: .availability, query: QueryString(skus.map { .init(name: "sku", value: $0) }))

        case .cart(.current): Target(.cart)
        case .cart(.clear): Target(.clearCart)
        case .cart(.addLine(let body)): Target(.addCartLine, body: body)
        case .cart(.setLine(let sku, let body)): Target(.setCartLine, ["sku": sku], body: body)
        case .cart(.removeLine(let sku)): Target(.removeCartLine, ["sku": sku])
        case .cart(.setDiscount(let body)): Target(.setCartDiscount, body: body)
        case .cart(.removeDiscount): Target(.removeCartDiscount)
        case .cart(.shippingMethods(let country, let postalCode, let latitude, let longitude)):
            Target(
                .shippingMethods,
                query: [
                    "country": country, "postalCode": postalCode, "latitude": latitude?.description,
                    "longitude": longitude?.description,
                ])
        case .cart(.setShipping(let body)): Target(.setCartShipping, body: body)
        case .cart(.checkout(let body)): Target(.checkout, body: body)

        case .orders(.preview(let body)): Target(.previewOrder, body: body)
        case .orders(.buyNow(let body)): Target(.buyNow, body: body)
        case .orders(.list(let limit, let cursor)): Target(.orders, page: (limit, cursor))
        case .orders(.order(let id)): Target(.order, ["id": id])
        case .orders(.cancel(let id)): Target(.cancelOrder, ["id": id])
        case .orders(.changeDelivery(let id, let body)): Target(.changeDelivery, ["id": id], body: body)
        case .orders(.events(let id)): Target(.orderEvents, ["id": id])
        case .orders(.byLink(let body)): Target(.orderByLink, body: body)

        case .rides(.places(let search, let latitude, let longitude, let limit, let cursor)):
            Target(
                .ridePlaces,
                query: ["q": search, "latitude": latitude?.description, "longitude": longitude?.description],
                page: (limit, cursor))
        case .rides(.options(let latitude, let longitude)):
            Target(.rideOptions, query: ["latitude": latitude.description, "longitude": longitude.description])
        case .rides(.quote(let body)): Target(.quoteRide, body: body)
        case .rides(.request(let body)): Target(.requestRide, body: body)
        case .rides(.list(let limit, let cursor)): Target(.rides, page: (limit, cursor))
        case .rides(.ride(let id)): Target(.ride, ["id": id])
        case .rides(.cancel(let id)): Target(.cancelRide, ["id": id])
        case .rides(.receipt(let id)): Target(.rideReceipt, ["id": id])
        case .rides(.events(let id)): Target(.rideEvents, ["id": id])

        case .administration(.importCatalog(let file, let mediaType, let format, let dryRun)):
            Target(
                endpoint: .importCatalog,
                query: QueryString([
                    .init(name: "format", value: format), .init(name: "dryRun", value: dryRun.description),
                    .init(name: "name", value: file.lastPathComponent),
                ]),
                upload: (file, mediaType))
        case .administration(.products(let call)): call.target
        case .administration(.catalogImport(let id)): Target(.catalogImport, ["id": id])
        case .administration(.updateVariant(let sku, let body)): Target(.updateVariant, ["sku": sku], body: body)
        case .administration(.discounts(let limit, let cursor)): Target(.discounts, page: (limit, cursor))
        case .administration(.addDiscount(let body)): Target(.addDiscount, body: body)
        case .administration(.updateDiscount(let id, let body)): Target(.updateDiscount, ["id": id], body: body)
        case .administration(.deleteDiscount(let id)): Target(.deleteDiscount, ["id": id])
        case .administration(.scheduledPrices(let sku, let limit, let cursor)):
            Target(.scheduledPrices, query: ["sku": sku], page: (limit, cursor))
        case .administration(.schedulePrice(let body)): Target(.schedulePrice, body: body)
        case .administration(.deleteScheduledPrice(let id)): Target(.deleteScheduledPrice, ["id": id])
        case .administration(.orders(let filter, let limit, let cursor)):
            Target(.allOrders, filter: filter, page: (limit, cursor))
        case .administration(.order(let id)): Target(.managedOrder, ["id": id])
        case .administration(.updateOrder(let id, let body)): Target(.updateOrder, ["id": id], body: body)
        case .administration(.cancel(let id)): Target(.cancelManagedOrder, ["id": id])
        case .administration(.fulfil(let id, let body)): Target(.fulfilOrder, ["id": id], body: body)
        case .administration(.deliver(let id)): Target(.deliverOrder, ["id": id])
        case .administration(.refund(let id, let body)): Target(.refundOrder, ["id": id], body: body)

        case .events(.list(let after, let type, let limit)):
            Target(.shopEvents, query: ["after": after, "type": type], page: (limit, nil))
        case .events(.audit(let actor, let action, let object, let from, let until, let limit, let cursor)):
            Target(
                .auditLog,
                query: ["actor": actor, "action": action, "object": object, "from": from, "until": until],
                page: (limit, cursor))
        case .events(.webhooks(let limit, let cursor)): Target(.webhooks, page: (limit, cursor))
        case .events(.addWebhook(let body)): Target(.addWebhook, body: body)
        case .events(.webhook(let id)): Target(.webhook, ["id": id])
        case .events(.updateWebhook(let id, let body)): Target(.updateWebhook, ["id": id], body: body)
        case .events(.deleteWebhook(let id)): Target(.deleteWebhook, ["id": id])
        case .events(.rotateSecret(let id)): Target(.rotateWebhookSecret, ["id": id])
        case .events(.deliveries(let id, let status, let limit, let cursor)):
            Target(.webhookDeliveries, ["id": id], query: ["status": status], page: (limit, cursor))
        case .events(.redeliver(let id)): Target(.redeliverWebhook, ["id": id])
        case .administration(.addNote(let id, let body)): Target(.addOrderNote, ["id": id], body: body)
        case .administration(.packingSlip(let id)): Target(.packingSlip, ["id": id])
        case .administration(.customers(let search, let limit, let cursor)):
            Target(.customers, query: ["q": search], page: (limit, cursor))
        case .administration(.customer(let id)): Target(.customer, ["id": id])
        case .administration(.sales(let from, let until, let step)):
            Target(.salesReport, query: ["from": from, "until": until, "by": step])
        case .administration(.stock(let low, let threshold, let limit, let cursor)):
            Target(
                .stockLevels, query: ["low": low?.description, "threshold": threshold?.description],
                page: (limit, cursor))
        case .administration(.exportOrders(let filter)): Target(endpoint: .exportOrders, query: filter)
        case .administration(.exportCustomers): Target(.exportCustomers)
        case .administration(.exportStock): Target(.exportStock)
        case .administration(.staff(let limit, let cursor)): Target(.staff, page: (limit, cursor))
        case .administration(.inviteStaff(let body)): Target(.inviteStaff, body: body)
        case .administration(.changeStaffRole(let id, let body)): Target(.changeStaffRole, ["id": id], body: body)
        case .administration(.removeStaff(let id)): Target(.removeStaff, ["id": id])
        case .administration(.apiKeys(let limit, let cursor)): Target(.apiKeys, page: (limit, cursor))
        case .administration(.createAPIKey(let body)): Target(.createAPIKey, body: body)
        case .administration(.revokeAPIKey(let id)): Target(.revokeAPIKey, ["id": id])
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

extension Path.ProductCalls {
    fileprivate var target: Path.Target {
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

extension Path.Target {
    /// - Parameters:
    ///   - query: values that are nil are omitted.
    ///   - filter: further values.
    ///   - page: selects a page of a list.
    fileprivate init(
        _ endpoint: Endpoint, _ parameters: [String: String] = [:], query: KeyValuePairs<String, String?> = [:],
        filter: QueryString = QueryString(), page: (limit: Int?, cursor: String?) = (nil, nil), body: Data? = nil
    ) {
        self.init(endpoint: endpoint, parameters: parameters, query: filter, body: body)
        for (name, value) in query { self.query.append(name, value) }
        self.query.append("limit", page.limit?.description)
        self.query.append("cursor", page.cursor)
    }
}
