import PouchWire

/// The addresses of pages that other pages link to, each defined once.
enum PagePath {
    static let cart = "/cart"
    static let checkout = "/checkout"
    static let orders = "/orders"
    static let addresses = "/account/addresses"

    static func product(_ handle: String) -> String { path("/product/{}", handle) }
    static func category(_ id: String) -> String { path("/category/{}", id) }
    static let products = "/products"
    static let search = "/search"
    static func season(_ id: String, theme: String? = nil) -> String {
        adding([("theme", theme)], to: path("/season/{}", id))
    }
    /// The feed in a language.
    static func feed(_ language: Language) -> String { adding([("lang", language.rawValue)], to: "/feed.xml") }
    static func order(_ id: String) -> String { path("/orders/{}", id) }

    /// Appends the parameters that have a value to the query of a path.
    static func adding(_ parameters: [(name: String, value: String?)], to path: String) -> String {
        var query = QueryString()
        for (name, value) in parameters { query.append(name, value) }
        return query.items.isEmpty ? path : path + (path.contains("?") ? "&" : "?") + query.encoded
    }

    /// - Parameter template: a path with `{}` as the placeholder for the value.
    static func path(_ template: String, _ value: String) -> String {
        PathTemplate(template.replacing("{}", with: "{value}")).path(["value": value])
    }
}

/// The addresses of the administration's pages that other pages link to, except for the sections.
enum AdminPath {
    static let signIn = "/admin/sign-in"
    static let secondFactor = "/admin/second-factor"
    static let search = "/admin/search"

    static func order(_ id: String) -> String { PagePath.path("/admin/orders/{}", id) }
    static func customer(_ id: String) -> String { PagePath.path("/admin/customers/{}", id) }
    static func product(_ id: String) -> String { PagePath.path("/admin/products/{}", id) }
    static func report(_ id: String) -> String { PagePath.path("/admin/import/{}", id) }
    static func discount(_ id: String) -> String { PagePath.path("/admin/discounts/{}", id) }
    static func webhook(_ id: String) -> String { PagePath.path("/admin/webhooks/{}", id) }
    static func mailPage(_ kind: String) -> String { PagePath.path("/admin/mails/{}/page", kind) }

    /// Whether a path belongs to the administration.
    static func contains(_ path: String) -> Bool { (path + "/").hasPrefix(AdminSection.today.path + "/") }
}
