import ServerTesting
import Testing

@testable import PouchDomain

extension TestShop {
    /// A visitor who is signed in as a new member of the staff, whose sign-in is fresh.
    func member(_ role: StaffRole, _ email: String? = nil) async throws -> WebVisitor {
        WebVisitor(self, session: try await staff(role, email).session)
    }

    func stored(_ key: String) async throws -> ManagedProduct {
        try await store.read { [clock] in try #require(try $0.products.product(key, at: clock.now)) }
    }

    /// The number of entries of the audit log about changes. Reading about persons has entries, too.
    func auditCount() async throws -> Int {
        let reads = "'exportOrders', 'exportCustomers', 'allOrders', 'customers'"
        return try await rows("SELECT id FROM audit WHERE action NOT IN (\(reads))").count
    }
}

extension WebVisitor {
    /// The token of the visitor's forms, from a form that every page of the administration has.
    func adminToken() async throws -> String {
        try #require(try await get("/admin").fields(of: "/admin/sign-out")["csrf"])
    }

    /// Sends the form of a refund: of its `lines`, of an `amount` or of the `rest`.
    func refund(_ order: Order, _ scope: String, _ values: [String: String?] = [:]) async throws -> WebPage {
        try await refund(scope, on: try await get("/admin/orders/\(order.id)"), values)
    }

    /// Sends the form on a page of an order that was opened earlier.
    func refund(_ scope: String, on page: WebPage, _ values: [String: String?] = [:]) async throws -> WebPage {
        let form = try #require(page.refund(scope))
        let answer = try await post(form.action, try form.filled(["reason": "Moths"].merging(values) { $1 }))
        guard let location = answer.location else { return answer }
        return try await open(location)
    }

    /// The pages of the administration that links lead to, without duplicates.
    func adminPages(from start: [String] = AdminPages.lists, limit: Int = 120) async throws -> [WebPage] {
        var (open, known, pages): ([String], Set<String>, [WebPage]) = (start, Set(start), [])
        while !open.isEmpty, pages.count < limit {
            let page = try await get(open.removeFirst())
            guard page.isHTML else { continue }
            pages.append(page)
            for link in page.links where link.hasPrefix("/admin") {
                let link = String(link.prefix { $0 != "#" })
                if known.insert(link).inserted { open.append(link) }
            }
        }
        return pages
    }
}

/// Lists of the administration, with the permission that each requires.
enum AdminPages {
    static let permissions: [(path: String, permission: Permission)] = [
        ("/admin/discounts", .readCatalog), ("/admin/discounts/new", .writeDiscounts),
        ("/admin/prices", .readCatalog), ("/admin/settings", .readCatalog), ("/admin/webhooks", .manageWebhooks),
        ("/admin/mails", .manageWebhooks), ("/admin/mails/orderPaid", .manageWebhooks),
        ("/admin/mails/orderPaid/page", .manageWebhooks), ("/admin/staff", .manageStaff),
        ("/admin/keys", .manageStaff), ("/admin/audit", .readAudit), ("/admin/health", .manageWebhooks),
    ]
    static let lists = permissions.map(\.path)
}

extension WebPage {
    /// The form of a refund: of `lines`, of an `amount` or of the `rest`.
    func refund(_ scope: String) -> WebForm? {
        forms.first { form in form.controls.contains { $0.name == "scope" && $0.value == scope } }
    }

    /// The paths to which the page's forms send changes, without those of the frame.
    var changes: [String] { forms.filter { $0.method == "POST" && $0.action != "/admin/sign-out" }.map(\.action) }

    /// Whether the page is in the frame of the administration, as for a signed-in staff member.
    var isInFrame: Bool { links.contains("/admin/orders") && !fields(of: "/admin/sign-out").isEmpty }

    /// Whether a visitor is sent to sign in to the administration, and sees nothing.
    var asksForStaff: Bool { status == 303 && location?.hasPrefix("/admin/sign-in") == true && text.isEmpty }

    /// The choices of a form whose names begin with a prefix, such as the boxes of a list.
    func choices(of action: String, _ prefix: String) throws -> [WebForm.Control] {
        try form(action).controls.filter { $0.name.hasPrefix(prefix) }
    }

    /// The name of the box with a value in a form.
    func box(_ action: String, _ value: String) throws -> String {
        try #require(form(action).controls.first { $0.value == value }?.name)
    }
}
