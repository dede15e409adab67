import Foundation
import PouchEntities
import Testing

@testable import PouchDomain

extension TestShop {
    /// A visitor who is signed in as a new member of the staff, whose sign-in is fresh.
    func member(_ role: StaffRole, _ email: String? = nil) async throws -> WebVisitor {
        WebVisitor(self, session: try await staff(role, email).session)
    }

    /// The number of entries of the audit log about changes. Reading about persons has entries, too.
    func auditCount() async throws -> Int {
        let reads = "'exportOrders', 'exportCustomers', 'allOrders', 'customers'"
        return try await rows("SELECT id FROM audit WHERE action NOT IN (\(reads))").count
    }
}

extension WebVisitor {
    /// The pages of the administration that links lead to, each once.
    func adminPages(from start: [String] = AdminPages.lists, limit: Int = 120) async throws -> [WebPage] {
        var (open, known, pages): ([String], Set<String>, [WebPage]) = (start, Set(start), [])
        while !open.isEmpty, pages.count < limit {
            let path = open.removeFirst()
            let page = try await get(path)
            guard page.header("Content-Type")?.hasPrefix("text/html") == true else { continue }
            pages.append(page)
            for link in page.links where link.hasPrefix("/admin") {
                let link = String(link.prefix { $0 != "#" })
                if known.insert(link).inserted { open.append(link) }
            }
        }
        return pages
    }
}

/// The lists of the administration that this suite knows, with the permission that each needs.
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

/// Texts with which an attacker could try to put elements into a page.
enum HostileText {
    static let all = [
        #""><script>alert(1)</script>"#, #"'"><img src=x onerror=alert(1)>"#,
        #"</textarea></title><svg onload=alert(1)>"#, #"" autofocus onfocus="alert(1)"#,
    ]

    /// Checks that a page has no element, script or link that came from such a text.
    static func check(_ page: WebPage, _ sourceLocation: SourceLocation = #_sourceLocation) {
        for text in all {
            #expect(!page.text.contains(text), "\(page.address)", sourceLocation: sourceLocation)
        }
        for token in HTMLToken.all(of: page.text) {
            guard case .opening(let tag, let attributes) = token else { continue }
            let hasHandler = attributes.keys.contains { $0.hasPrefix("on") }
            #expect(!hasHandler, "\(page.address) \(tag)", sourceLocation: sourceLocation)
            if tag == "script" {
                let source = attributes["src"] ?? ""
                #expect(source.hasPrefix("/web/"), "\(page.address)", sourceLocation: sourceLocation)
            }
            let link = attributes["href"] ?? attributes["action"] ?? attributes["src"] ?? ""
            #expect(!link.lowercased().hasPrefix("javascript:"), "\(page.address)", sourceLocation: sourceLocation)
        }
    }
}
