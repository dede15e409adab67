import PouchJSON
import PouchWire

/// A group of operations, by their paths.
struct OpenAPITag: Sendable {
    let id: String
    let title: String
    /// A description in one sentence.
    let text: String
    /// The first segments of its endpoints' paths.
    let prefixes: [String]
    var isForStaff = false

    /// All tags in the order of the navigation.
    static let all = [
        OpenAPITag(
            id: "catalogue", title: "Catalogue", text: "Products, availability, categories, seasons and themes.",
            prefixes: [
                "/v1/shop", "/v1/products", "/v1/availability", "/v1/categories", "/v1/seasons", "/v1/themes",
                "/v1/promotions",
            ]),
        OpenAPITag(
            id: "sessions", title: "Sign in", text: "Guests, accounts, password resets and tokens.",
            prefixes: ["/v1/sessions", "/v1/accounts", "/v1/password-resets", "/v1/staff-invitations"]),
        OpenAPITag(
            id: "account", title: "Account", text: "The owner's data, addresses, sessions and second factor.",
            prefixes: ["/v1/account"]),
        OpenAPITag(
            id: "cart", title: "Cart and checkout", text: "The cart of a guest or customer, and its checkout.",
            prefixes: ["/v1/cart"]),
        OpenAPITag(
            id: "orders", title: "Orders", text: "Purchases with their payment and delivery.",
            prefixes: ["/v1/orders"]),
        OpenAPITag(
            id: "rides", title: "Rides", text: "Places, fares and rides.",
            prefixes: ["/v1/ride", "/v1/rides"]),
        OpenAPITag(
            id: "admin-products", title: "Products and prices",
            text: "Products in every status, with pictures, categories, seasons and themes.",
            prefixes: [
                "/v1/admin/products", "/v1/admin/pictures", "/v1/admin/variants", "/v1/admin/scheduled-prices",
                "/v1/admin/categories", "/v1/admin/seasons", "/v1/admin/themes", "/v1/admin/promotions",
            ], isForStaff: true),
        OpenAPITag(
            id: "admin-discounts", title: "Discounts", text: "Codes that reduce the total of a cart.",
            prefixes: ["/v1/admin/discounts"], isForStaff: true),
        OpenAPITag(
            id: "admin-imports", title: "Imports and exports",
            text: "Product feeds, and CSV files of the shop's data.",
            prefixes: ["/v1/admin/imports", "/v1/admin/exports"], isForStaff: true),
        OpenAPITag(
            id: "admin-orders", title: "Orders and customers",
            text: "Sending, cancelling and refunding orders, and their customers.",
            prefixes: ["/v1/admin/orders", "/v1/admin/customers"], isForStaff: true),
        OpenAPITag(
            id: "admin-figures", title: "Sales and stock", text: "Sales reports and stock levels.",
            prefixes: ["/v1/admin/reports", "/v1/admin/stock"], isForStaff: true),
        OpenAPITag(
            id: "admin-events", title: "Events and webhooks",
            text: "The shop's events and the webhooks that receive them.",
            prefixes: ["/v1/admin/events", "/v1/admin/webhooks", "/v1/admin/webhook-deliveries"], isForStaff: true),
        OpenAPITag(
            id: "admin-staff", title: "Staff and keys", text: "Staff members, roles, API keys and the audit log.",
            prefixes: ["/v1/admin/staff", "/v1/admin/api-keys", "/v1/admin/audit"], isForStaff: true),
        system,
    ]

    private static let system = OpenAPITag(
        id: "system", title: "System", text: "Health, the OpenAPI description, and pictures.",
        prefixes: ["/health", "/openapi.json", "/assets"])

    static func of(_ template: PathTemplate) -> OpenAPITag { all.first { $0.has(template.description) } ?? system }

    private func has(_ path: String) -> Bool {
        prefixes.contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    /// The tag in OpenAPI's format, with the title that viewers of such documents show.
    var json: JSON {
        ["name": .string(id), "x-displayName": .string(title), "description": .string(text)]
    }

    /// The tags of customers and of the staff, grouped as viewers of such documents show them.
    static var groups: JSON {
        .array(
            [("Shop", false), ("Administration", true)].map { name, isForStaff in
                let tags = all.filter { $0.isForStaff == isForStaff }.map { JSON.string($0.id) }
                return ["name": .string(name), "tags": .array(tags)]
            })
    }
}
