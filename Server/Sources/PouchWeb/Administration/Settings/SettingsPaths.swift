extension AdminPath {
    static let discounts = "/admin/discounts"
    static let prices = "/admin/prices"
    static let settings = "/admin/settings"
    static let staff = "/admin/staff"
    static let keys = "/admin/keys"
    static let audit = "/admin/audit"
    static let health = "/admin/health"

    static func discount(_ id: String) -> String { PagePath.path("/admin/discounts/{}", id) }
    static func webhook(_ id: String) -> String { PagePath.path("/admin/webhooks/{}", id) }
    static func mail(_ kind: String) -> String { PagePath.path("/admin/mails/{}", kind) }
    static func mailPage(_ kind: String) -> String { PagePath.path("/admin/mails/{}/page", kind) }
}
