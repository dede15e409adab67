import PouchEntities

/// The frame that every page of the administration has, also one that shows a problem.
struct AdminFrame {
    private let site: Site
    private let visit: Visit

    init(_ site: Site, _ visit: Visit) {
        self.site = site
        self.visit = visit
    }

    /// The content with the script and the values of the frame. Values of the content replace those of the frame.
    ///
    /// - Parameter member: the values of the signed-in member; none for a visitor who is no member of the staff.
    func around(_ content: PageContent, member: PageValues = [:]) -> PageContent {
        var framed = content
        framed.script = "admin"
        framed.values = values(content.title).merging(member) { $1 }.merging(content.values) { $1 }
        return framed
    }

    private func values(_ title: String) -> PageValues {
        [
            "title": title, "shop": ["name": site.settings.shopName, "url": "/"] as PageValues,
            "searchText": visit.path == AdminPath.search ? visit.query("q") ?? "" : "", "navigation": [PageValues](),
            "notice": false, "refreshSeconds": false,
            "errors": visit.failure?.values(id: "f-") ?? false,
        ]
    }
}

/// The links to all parts of the administration that a member may see.
struct AdminNavigation {
    let permissions: Set<Permission>
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
                Item("Categories", AdminPath.outline, .readCatalog),
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

    var values: [PageValues] {
        Self.groups.compactMap { heading, items in
            let items = items.filter { permissions.contains($0.permission) }
            guard !items.isEmpty else { return nil }
            return [
                "heading": shown(heading),
                "items": items.map { item -> PageValues in
                    let count = item.url == AdminPath.orders && unsent != "0" ? unsent : nil
                    return [
                        "label": item.label, "url": item.url, "isCurrent": isCurrent(item.url),
                        "count": shown(count),
                    ]
                },
            ]
        }
    }

    /// Whether the page is the one with the address, or one below it.
    private func isCurrent(_ url: String) -> Bool {
        path == url || url != AdminPath.today && path.hasPrefix(url + "/")
    }
}
