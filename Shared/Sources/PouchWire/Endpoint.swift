@_exported import PouchAccess

/// One operation of the HTTP contract: a method, a path and who may call it.
///
/// This page lists the whole surface. The server registers its routes from these values and clients build their paths
/// from them, so that a path is spelled once:
///
///     let endpoint = Endpoint.setCartLine
///     endpoint.method                                    // .put
///     endpoint.template.path(["sku": "71101-69-m"])      // "/v1/cart/lines/71101-69-m"
///
/// A new endpoint needs its exchange in `PouchContract`, where `Contract` lists it with its types; `Endpoint.all`
/// follows from that list.
public struct Endpoint: Hashable, Sendable {
    /// Unique among all endpoints; the operation's name in logs and its `operationId` in OpenAPI.
    public let name: String
    public let method: HTTPVerb
    public let template: PathTemplate
    public let access: Access

    private init(_ name: String, _ method: HTTPVerb, _ template: String, _ access: Access) {
        self.name = name
        self.method = method
        self.template = PathTemplate(template)
        self.access = access
    }
}

/// The HTTP methods that the contract uses.
public enum HTTPVerb: String, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
}

/// The principals that may call an endpoint.
public enum Access: Sendable, Hashable {
    /// No token is needed; a token is ignored unless the endpoint documents a use for it.
    case anyone
    /// A guest, a customer or an administrator.
    case guestOrCustomer
    /// A customer or an administrator; a guest gets 403 `forbidden`.
    case customer
    /// Staff whose role has the permission, and API keys with it; all others get 403 `forbidden`, which names the
    /// permission. API keys may call nothing else that needs a token.
    case staff(Permission)
}

extension Access {
    public var isForStaff: Bool {
        permission != nil
    }

    /// The permission that the principal needs; nil for an endpoint that is not for staff.
    public var permission: Permission? {
        if case .staff(let permission) = self { permission } else { nil }
    }
}

// MARK: - All endpoints

extension Endpoint {
    // MARK: System

    public static let healthLive = Endpoint("healthLive", .get, "/health/live", .anyone)
    public static let healthReady = Endpoint("healthReady", .get, "/health/ready", .anyone)
    public static let openAPI = Endpoint("openAPI", .get, "/openapi.json", .anyone)
    public static let asset = Endpoint("asset", .get, "/assets/{path...}", .anyone)

    // MARK: Accounts and sessions

    public static let signUp = Endpoint("signUp", .post, "/v1/accounts", .anyone)
    public static let signIn = Endpoint("signIn", .post, "/v1/sessions", .anyone)
    public static let startGuestSession = Endpoint("startGuestSession", .post, "/v1/sessions/guest", .anyone)
    public static let refreshSession = Endpoint("refreshSession", .post, "/v1/sessions/refresh", .anyone)
    public static let signOut = Endpoint("signOut", .delete, "/v1/sessions/current", .guestOrCustomer)

    public static let profile = Endpoint("profile", .get, "/v1/account", .customer)
    public static let updateProfile = Endpoint("updateProfile", .patch, "/v1/account", .customer)
    public static let deleteAccount = Endpoint("deleteAccount", .delete, "/v1/account", .customer)
    public static let changePassword = Endpoint("changePassword", .put, "/v1/account/password", .customer)

    public static let requestPasswordReset = Endpoint("requestPasswordReset", .post, "/v1/password-resets", .anyone)
    public static let resetPassword = Endpoint("resetPassword", .put, "/v1/password-resets", .anyone)
    public static let requestVerification = Endpoint(
        "requestVerification", .post, "/v1/account/verification", .customer)
    public static let verifyEmail = Endpoint("verifyEmail", .put, "/v1/account/verification", .anyone)
    public static let changeEmail = Endpoint("changeEmail", .put, "/v1/account/email", .customer)
    public static let accountSessions = Endpoint("accountSessions", .get, "/v1/account/sessions", .customer)
    public static let endSession = Endpoint("endSession", .delete, "/v1/account/sessions/{id}", .customer)
    public static let exportAccount = Endpoint("exportAccount", .get, "/v1/account/export", .customer)

    public static let addresses = Endpoint("addresses", .get, "/v1/account/addresses", .customer)
    public static let addAddress = Endpoint("addAddress", .post, "/v1/account/addresses", .customer)
    public static let updateAddress = Endpoint("updateAddress", .patch, "/v1/account/addresses/{id}", .customer)
    public static let deleteAddress = Endpoint("deleteAddress", .delete, "/v1/account/addresses/{id}", .customer)

    // MARK: Confirming who signs in

    public static let confirmSession = Endpoint(
        "confirmSession", .post, "/v1/sessions/current/confirmation", .customer)
    public static let secondFactor = Endpoint("secondFactor", .get, "/v1/account/second-factor", .customer)
    public static let beginSecondFactor = Endpoint("beginSecondFactor", .post, "/v1/account/second-factor", .customer)
    public static let enableSecondFactor = Endpoint(
        "enableSecondFactor", .post, "/v1/account/second-factor/confirmation", .customer)
    public static let removeSecondFactor = Endpoint(
        "removeSecondFactor", .delete, "/v1/account/second-factor", .customer)
    public static let acceptInvitation = Endpoint(
        "acceptInvitation", .post, "/v1/staff-invitations/acceptance", .anyone)

    // MARK: Catalogue

    public static let shop = Endpoint("shop", .get, "/v1/shop", .anyone)
    public static let seasons = Endpoint("seasons", .get, "/v1/seasons", .anyone)
    public static let themes = Endpoint("themes", .get, "/v1/themes", .anyone)
    public static let categories = Endpoint("categories", .get, "/v1/categories", .anyone)
    public static let promotions = Endpoint("promotions", .get, "/v1/promotions", .anyone)
    public static let products = Endpoint("products", .get, "/v1/products", .anyone)
    public static let product = Endpoint("product", .get, "/v1/products/{handle}", .anyone)
    public static let availability = Endpoint("availability", .get, "/v1/availability", .anyone)

    // MARK: Cart and checkout

    public static let cart = Endpoint("cart", .get, "/v1/cart", .guestOrCustomer)
    public static let clearCart = Endpoint("clearCart", .delete, "/v1/cart", .guestOrCustomer)
    public static let addCartLine = Endpoint("addCartLine", .post, "/v1/cart/lines", .guestOrCustomer)
    public static let setCartLine = Endpoint("setCartLine", .put, "/v1/cart/lines/{sku}", .guestOrCustomer)
    public static let removeCartLine = Endpoint("removeCartLine", .delete, "/v1/cart/lines/{sku}", .guestOrCustomer)
    public static let setCartDiscount = Endpoint("setCartDiscount", .put, "/v1/cart/discount", .guestOrCustomer)
    public static let removeCartDiscount = Endpoint(
        "removeCartDiscount", .delete, "/v1/cart/discount", .guestOrCustomer)
    public static let shippingMethods = Endpoint(
        "shippingMethods", .get, "/v1/cart/shipping-methods", .guestOrCustomer)
    public static let setCartShipping = Endpoint("setCartShipping", .put, "/v1/cart/shipping", .guestOrCustomer)
    public static let checkout = Endpoint("checkout", .post, "/v1/cart/checkout", .guestOrCustomer)

    // MARK: Orders

    public static let previewOrder = Endpoint("previewOrder", .post, "/v1/orders/preview", .guestOrCustomer)
    public static let buyNow = Endpoint("buyNow", .post, "/v1/orders", .guestOrCustomer)
    public static let orders = Endpoint("orders", .get, "/v1/orders", .guestOrCustomer)
    public static let order = Endpoint("order", .get, "/v1/orders/{id}", .guestOrCustomer)
    public static let cancelOrder = Endpoint("cancelOrder", .post, "/v1/orders/{id}/cancel", .guestOrCustomer)
    public static let changeDelivery = Endpoint("changeDelivery", .put, "/v1/orders/{id}/shipping", .guestOrCustomer)
    public static let orderEvents = Endpoint("orderEvents", .get, "/v1/orders/{id}/events", .guestOrCustomer)
    public static let orderByLink = Endpoint("orderByLink", .post, "/v1/orders/lookup", .anyone)

    // MARK: Rides

    public static let ridePlaces = Endpoint("ridePlaces", .get, "/v1/ride/places", .anyone)
    public static let rideOptions = Endpoint("rideOptions", .get, "/v1/ride/options", .anyone)
    public static let quoteRide = Endpoint("quoteRide", .post, "/v1/ride/quotes", .customer)
    public static let requestRide = Endpoint("requestRide", .post, "/v1/rides", .customer)
    public static let rides = Endpoint("rides", .get, "/v1/rides", .customer)
    public static let ride = Endpoint("ride", .get, "/v1/rides/{id}", .customer)
    public static let cancelRide = Endpoint("cancelRide", .post, "/v1/rides/{id}/cancel", .customer)
    public static let rideReceipt = Endpoint("rideReceipt", .get, "/v1/rides/{id}/receipt", .customer)
    public static let rideEvents = Endpoint("rideEvents", .get, "/v1/rides/{id}/events", .customer)

    // MARK: Administration

    public static let importCatalog = Endpoint("importCatalog", .post, "/v1/admin/imports", .staff(.writeCatalog))
    public static let catalogImport = Endpoint("catalogImport", .get, "/v1/admin/imports/{id}", .staff(.readCatalog))

    public static let updateVariant = Endpoint(
        "updateVariant", .patch, "/v1/admin/variants/{sku}", .staff(.writeCatalog))

    public static let discounts = Endpoint("discounts", .get, "/v1/admin/discounts", .staff(.readCatalog))
    public static let addDiscount = Endpoint("addDiscount", .post, "/v1/admin/discounts", .staff(.writeDiscounts))
    public static let updateDiscount = Endpoint(
        "updateDiscount", .patch, "/v1/admin/discounts/{id}", .staff(.writeDiscounts))
    public static let deleteDiscount = Endpoint(
        "deleteDiscount", .delete, "/v1/admin/discounts/{id}", .staff(.writeDiscounts))

    public static let scheduledPrices = Endpoint(
        "scheduledPrices", .get, "/v1/admin/scheduled-prices", .staff(.readCatalog))
    public static let schedulePrice = Endpoint(
        "schedulePrice", .post, "/v1/admin/scheduled-prices", .staff(.writeCatalog))
    public static let deleteScheduledPrice = Endpoint(
        "deleteScheduledPrice", .delete, "/v1/admin/scheduled-prices/{id}", .staff(.writeCatalog))

    public static let managedProducts = Endpoint("managedProducts", .get, "/v1/admin/products", .staff(.readCatalog))
    public static let addProduct = Endpoint("addProduct", .post, "/v1/admin/products", .staff(.writeCatalog))
    public static let managedProduct = Endpoint(
        "managedProduct", .get, "/v1/admin/products/{id}", .staff(.readCatalog))
    public static let updateProduct = Endpoint(
        "updateProduct", .patch, "/v1/admin/products/{id}", .staff(.writeCatalog))
    public static let addPicture = Endpoint("addPicture", .post, "/v1/admin/pictures", .staff(.writeCatalog))
    public static let exportProducts = Endpoint(
        "exportProducts", .get, "/v1/admin/exports/products", .staff(.readCatalog))

    public static let managedCategories = Endpoint(
        "managedCategories", .get, "/v1/admin/categories", .staff(.readCatalog))
    public static let setCategory = Endpoint("setCategory", .put, "/v1/admin/categories/{id}", .staff(.writeCatalog))
    public static let deleteCategory = Endpoint(
        "deleteCategory", .delete, "/v1/admin/categories/{id}", .staff(.writeCatalog))
    public static let managedSeasons = Endpoint("managedSeasons", .get, "/v1/admin/seasons", .staff(.readCatalog))
    public static let setSeason = Endpoint("setSeason", .put, "/v1/admin/seasons/{id}", .staff(.writeCatalog))
    public static let deleteSeason = Endpoint("deleteSeason", .delete, "/v1/admin/seasons/{id}", .staff(.writeCatalog))
    public static let managedThemes = Endpoint("managedThemes", .get, "/v1/admin/themes", .staff(.readCatalog))
    public static let setTheme = Endpoint("setTheme", .put, "/v1/admin/themes/{id}", .staff(.writeCatalog))
    public static let deleteTheme = Endpoint("deleteTheme", .delete, "/v1/admin/themes/{id}", .staff(.writeCatalog))
    public static let managedPromotions = Endpoint(
        "managedPromotions", .get, "/v1/admin/promotions", .staff(.readCatalog))
    public static let setPromotions = Endpoint("setPromotions", .put, "/v1/admin/promotions", .staff(.writeCatalog))

    public static let allOrders = Endpoint("allOrders", .get, "/v1/admin/orders", .staff(.readOrders))
    public static let fulfilOrder = Endpoint("fulfilOrder", .post, "/v1/admin/orders/{id}/fulfil", .staff(.writeOrders))
    public static let deliverOrder = Endpoint(
        "deliverOrder", .post, "/v1/admin/orders/{id}/deliver", .staff(.writeOrders))
    public static let refundOrder = Endpoint(
        "refundOrder", .post, "/v1/admin/orders/{id}/refunds", .staff(.refundOrders))

    // MARK: Events, webhooks and the audit log

    public static let shopEvents = Endpoint("shopEvents", .get, "/v1/admin/events", .staff(.readEvents))
    public static let auditLog = Endpoint("auditLog", .get, "/v1/admin/audit", .staff(.readAudit))

    public static let webhooks = Endpoint("webhooks", .get, "/v1/admin/webhooks", .staff(.manageWebhooks))
    public static let addWebhook = Endpoint("addWebhook", .post, "/v1/admin/webhooks", .staff(.manageWebhooks))
    public static let webhook = Endpoint("webhook", .get, "/v1/admin/webhooks/{id}", .staff(.manageWebhooks))
    public static let updateWebhook = Endpoint(
        "updateWebhook", .patch, "/v1/admin/webhooks/{id}", .staff(.manageWebhooks))
    public static let deleteWebhook = Endpoint(
        "deleteWebhook", .delete, "/v1/admin/webhooks/{id}", .staff(.manageWebhooks))
    public static let rotateWebhookSecret = Endpoint(
        "rotateWebhookSecret", .post, "/v1/admin/webhooks/{id}/secret", .staff(.manageWebhooks))
    public static let webhookDeliveries = Endpoint(
        "webhookDeliveries", .get, "/v1/admin/webhooks/{id}/deliveries", .staff(.manageWebhooks))
    public static let redeliverWebhook = Endpoint(
        "redeliverWebhook", .post, "/v1/admin/webhook-deliveries/{id}/redeliver", .staff(.manageWebhooks))
    public static let managedOrder = Endpoint("managedOrder", .get, "/v1/admin/orders/{id}", .staff(.readOrders))
    public static let updateOrder = Endpoint("updateOrder", .patch, "/v1/admin/orders/{id}", .staff(.writeOrders))
    public static let cancelManagedOrder = Endpoint(
        "cancelManagedOrder", .post, "/v1/admin/orders/{id}/cancel", .staff(.writeOrders))
    public static let addOrderNote = Endpoint(
        "addOrderNote", .post, "/v1/admin/orders/{id}/notes", .staff(.writeOrders))
    public static let packingSlip = Endpoint(
        "packingSlip", .get, "/v1/admin/orders/{id}/packing-slip", .staff(.readOrders))

    public static let customers = Endpoint("customers", .get, "/v1/admin/customers", .staff(.readCustomers))
    public static let customer = Endpoint("customer", .get, "/v1/admin/customers/{id}", .staff(.readCustomers))

    public static let salesReport = Endpoint("salesReport", .get, "/v1/admin/reports/sales", .staff(.readReports))
    public static let stockLevels = Endpoint("stockLevels", .get, "/v1/admin/stock", .staff(.readCatalog))

    public static let exportOrders = Endpoint("exportOrders", .get, "/v1/admin/exports/orders", .staff(.readOrders))
    public static let exportCustomers = Endpoint(
        "exportCustomers", .get, "/v1/admin/exports/customers", .staff(.readCustomers))
    public static let exportStock = Endpoint("exportStock", .get, "/v1/admin/exports/stock", .staff(.readCatalog))
    public static let staff = Endpoint("staff", .get, "/v1/admin/staff", .staff(.manageStaff))
    public static let inviteStaff = Endpoint("inviteStaff", .post, "/v1/admin/staff", .staff(.manageStaff))
    public static let changeStaffRole = Endpoint(
        "changeStaffRole", .patch, "/v1/admin/staff/{id}", .staff(.manageStaff))
    public static let removeStaff = Endpoint("removeStaff", .delete, "/v1/admin/staff/{id}", .staff(.manageStaff))
    public static let apiKeys = Endpoint("apiKeys", .get, "/v1/admin/api-keys", .staff(.manageStaff))
    public static let createAPIKey = Endpoint("createAPIKey", .post, "/v1/admin/api-keys", .staff(.manageStaff))
    public static let revokeAPIKey = Endpoint(
        "revokeAPIKey", .delete, "/v1/admin/api-keys/{id}", .staff(.manageStaff))
}
