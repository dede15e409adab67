import PouchEntities
import PouchTemplates

/// The values of `admin-head`, for every page of the administration.
struct AdminFrame: TemplateValues {
    struct Shop: TemplateValues {
        let name, url: String
    }

    /// The signed-in staff member.
    struct Member: TemplateValues {
        let name, email, role: String
    }

    let title: String
    let shop: Shop
    let searchText: String
    let member: Member?
    let navigation: [AdminNavigation.Group]
    let canReadReports, canWriteCatalog, canWriteDiscounts: Bool
    /// The seconds after which the page reloads; nil for never.
    var refreshSeconds: Int?

    /// - Parameter member: the staff member; nil for any other visitor.
    init(_ site: Site, _ visit: Visit, title: String, member: AdminVisit? = nil) {
        self.title = title
        shop = Shop(name: site.settings.shopName, url: "/")
        searchText = visit.path == AdminPath.search ? visit.query("q") ?? "" : ""
        self.member = member.map { Member(name: $0.profile.name, email: $0.profile.email, role: $0.role.title) }
        navigation =
            member.map { AdminNavigation(path: visit.path, unsent: $0.unsent?.count.text).groups(for: $0) } ?? []
        func may(_ permission: Permission) -> Bool { member?.may(permission) ?? false }
        canReadReports = may(.readReports)
        canWriteCatalog = may(.writeCatalog)
        canWriteDiscounts = may(.writeDiscounts)
    }
}

extension PageContent {
    /// The page in the frame of the administration, with its script.
    func framed(_ site: Site, _ visit: Visit, member: AdminVisit? = nil) -> PageContent {
        var framed = self
        framed.script = "admin"
        framed.frame = AdminFrame(site, visit, title: title, member: member)
        return framed
    }
}

/// The links to the parts of the administration that a member may see.
struct AdminNavigation {
    struct Group: TemplateValues {
        let heading: String?
        let items: [Link]
    }

    struct Link: TemplateValues {
        let label, url: String
        let isCurrent: Bool
        let count: String?
    }

    let path: String
    /// The number of orders to send; nil for none.
    let unsent: String?

    private struct Item {
        let label: String
        let url: String
        let permission: Permission

        init(_ label: String, _ url: String, _ permission: Permission) {
            self.label = label
            self.url = url
            self.permission = permission
        }
    }

    private static let groups: [(heading: String?, items: [Item])] = [
        (
            nil,
            [
                Item("Today", AdminPath.today, .readOrders), Item("Orders", AdminPath.orders, .readOrders),
                Item("Customers", AdminPath.customers, .readCustomers),
            ]
        ),
        (
            "Catalogue",
            [
                Item("Products", AdminPath.products, .readCatalog), Item("Stock", AdminPath.stock, .readCatalog),
                Item("Categories", AdminPath.taxonomy, .readCatalog),
                Item("Front page", AdminPath.frontPage, .readCatalog), Item("Import", AdminPath.import, .writeCatalog),
            ]
        ),
        (
            "Prices",
            [
                Item("Discounts", AdminPath.discounts, .readCatalog),
                Item("Scheduled prices", AdminPath.prices, .readCatalog),
            ]
        ),
        (
            "Shop",
            [
                Item("Settings", AdminPath.settings, .readCatalog),
                Item("Webhooks", AdminPath.webhooks, .manageWebhooks),
                Item("E-mails", AdminPath.mails, .manageWebhooks),
                Item("Staff", AdminPath.staff, .manageStaff), Item("API keys", AdminPath.keys, .manageStaff),
                Item("Audit log", AdminPath.audit, .readAudit), Item("Health", AdminPath.health, .manageWebhooks),
            ]
        ),
    ]

    func groups(for member: AdminVisit) -> [Group] {
        Self.groups.compactMap { heading, items in
            let links = items.filter { member.may($0.permission) }.map { item in
                Link(
                    label: item.label, url: item.url, isCurrent: isCurrent(item.url),
                    count: item.url == AdminPath.orders && unsent != "0" ? unsent : nil)
            }
            return links.isEmpty ? nil : Group(heading: heading, items: links)
        }
    }

    /// Whether the current page has the address or is below it.
    private func isCurrent(_ url: String) -> Bool {
        path == url || url != AdminPath.today && path.hasPrefix(url + "/")
    }
}
