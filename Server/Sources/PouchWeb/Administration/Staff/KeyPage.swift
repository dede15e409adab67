import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

extension PageRoutes {
    /// The keys with which programs call the administration's API.
    func addKeyPages() {
        let access = Contract.createAPIKey.endpoint.access
        let page = admin("/admin/keys", .manageStaff) { try await KeyPage(admin: $0).content() }
        form("/admin/keys", for: access, showing: page) { submission, admin in
            let made = try NewAPIKey(json: await submission.send(Contract.createAPIKey))
            return try await KeyPage(admin: admin).content(showing: made)
        }
        form("/admin/keys/{id}/revoke", for: access, showing: page) { submission in
            try await submission.send(Contract.revokeAPIKey)
            submission.tell("The key was revoked. Requests with it are refused, and webhooks that it added are off.")
            return Redirect(to: AdminPath.keys)
        }
    }
}

/// Makes the page of API keys.
struct KeyPage {
    let admin: AdminVisit

    /// - Parameter made: a new key, whose secret is shown this once.
    func content(showing made: NewAPIKey? = nil) async throws -> PageContent {
        let visit = admin.visit
        let page = try await admin.list("api-keys", key: { $0.key.id }) { repositories, after, limit in
            try repositories.apiKeys.keys(after: after, limit: limit)
        }
        return PageContent(
            "admin-keys", title: "API keys",
            [
                "secret": made.map { made -> any Sendable in
                    [
                        "title": "The key “\(made.key.name)”",
                        "text": "Copy it now: it is not shown again.", "value": made.token,
                    ] as PageValues
                } ?? false,
                "hasKeys": !page.items.isEmpty, "pager": ListAddress(AdminPath.keys, of: admin.visit).pager(page),
                "apiKeys": page.items.map(row),
                "draft": ["label": visit.typed("name"), "expiresAt": visit.typed("expiresAt")] as PageValues,
                "scopes": Permission.allCases.filter(admin.permissions.intersection(Permission.ofKeys).contains)
                    .map { Choice($0.rawValue, Self.text($0)) }.values(chosen: admin.ticked("scopes") ?? []),
            ])
    }

    private func row(_ row: ListedAPIKey) -> PageValues {
        let key = row.key
        let isExpired = key.expiresAt.map { $0 <= admin.site.now } ?? false
        return [
            "id": key.id, "label": key.name,
            "scopesText": key.scopes.map(\.rawValue).joined(separator: " "),
            "createdText": admin.day(key.createdAt), "createdBy": row.creatorName ?? key.createdBy,
            "usedText": key.lastUsedAt.map(admin.time) ?? "never",
            "endsText": key.expiresAt.map { (isExpired ? "expired " : "") + admin.time($0) } ?? "never",
        ]
    }

    private static func text(_ permission: Permission) -> String {
        switch permission {
        case .readCatalog: "See drafts, stock, imports, prices, discounts"
        case .writeCatalog: "Change products, pictures, stock, prices; import"
        case .writeDiscounts: "Change discounts"
        case .readOrders: "See orders"
        case .writeOrders: "Send, deliver and cancel orders"
        case .refundOrders: "Refund orders"
        case .readCustomers: "See customers"
        case .readReports: "See sales figures"
        case .readEvents: "See the shop's events"
        case .manageWebhooks: "Manage webhooks"
        case .readAudit: "Read the audit log"
        case .manageStaff: "Manage staff and API keys"
        case .unrecognised: ""
        }
    }
}
