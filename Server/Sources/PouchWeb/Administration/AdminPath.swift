/// The addresses of the administration's pages that other pages link to.
enum AdminPath {
    static let today = "/admin"
    static let signIn = "/admin/sign-in"
    static let secondFactor = "/admin/second-factor"
    static let search = "/admin/search"

    static let orders = "/admin/orders"
    static let customers = "/admin/customers"
    static func order(_ id: String) -> String { PagePath.path("/admin/orders/{}", id) }
    static func customer(_ id: String) -> String { PagePath.path("/admin/customers/{}", id) }

    static let products = "/admin/products"
    static let stock = "/admin/stock"
    static let taxonomy = "/admin/categories"
    static let frontPage = "/admin/front-page"
    static let `import` = "/admin/import"
    static func product(_ id: String) -> String { PagePath.path("/admin/products/{}", id) }
    static func report(_ id: String) -> String { PagePath.path("/admin/import/{}", id) }

    static let discounts = "/admin/discounts"
    static let prices = "/admin/prices"
    static func discount(_ id: String) -> String { PagePath.path("/admin/discounts/{}", id) }

    static let settings = "/admin/settings"
    static let webhooks = "/admin/webhooks"
    static let mails = "/admin/mails"
    static let staff = "/admin/staff"
    static let keys = "/admin/keys"
    static let audit = "/admin/audit"
    static let health = "/admin/health"
    static func webhook(_ id: String) -> String { PagePath.path("/admin/webhooks/{}", id) }
    static func mailPage(_ kind: String) -> String { PagePath.path("/admin/mails/{}/page", kind) }

    /// Whether a path belongs to the administration.
    static func contains(_ path: String) -> Bool { path == today || path.hasPrefix(today + "/") }
}
