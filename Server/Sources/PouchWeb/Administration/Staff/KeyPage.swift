import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchTemplates
import PouchWire

extension PageRoutes {
    /// Adds the page of the keys that programs use to call the admin API.
    func addKeyPages() {
        let access = Contract.createAPIKey.endpoint.access
        let page = admin("/admin/keys", .manageStaff) { try await KeyPage(admin: $0).content() }
        form("/admin/keys", for: access, showing: page) { submission, admin in
            let made = try await submission.send(Contract.createAPIKey)
            return try await KeyPage(admin: admin).content(showing: made)
        }
        form("/admin/keys/{id}/revoke", for: access, showing: page) { submission in
            try await submission.perform(Contract.revokeAPIKey)
            submission.tell("The key was revoked. Requests with it are refused, and webhooks it added are off.")
            return Redirect(to: AdminPath.keys)
        }
    }
}

struct KeysValues: PageModel {
    static let template = "admin-keys"

    struct Key: TemplateValues {
        let id, label, scopesText, createdText, createdBy, usedText, endsText: String
    }

    /// The fields of a new key.
    struct Draft: TemplateValues {
        let label, expiresAt: String
    }

    let secret: SecretValues?
    let hasKeys: Bool
    let pager: PagerValues?
    let apiKeys: [Key]
    let draft: Draft
    let scopes: [Choice.Values]
}

/// The values of the partial `admin-secret`, which are shown only once.
struct SecretValues: TemplateValues {
    let title, text, value: String
}

/// Creates the page of API keys.
struct KeyPage {
    let admin: AdminVisit

    /// - Parameter made: a new key, whose secret is shown only once.
    func content(showing made: NewAPIKey? = nil) async throws -> PageContent {
        let visit = admin.visit
        let page = try await admin.list(
            "api-keys", like: Contract.apiKeys, key: { $0.key.id }
        ) { repositories, after, limit in
            try repositories.apiKeys.keys(after: after, limit: limit)
        }
        let scopes = Permission.allCases.filter(admin.permissions.intersection(Permission.ofKeys).contains)
            .map { Choice($0.rawValue, Self.text($0)) }
        let values = KeysValues(
            secret: made.map { made in
                .init(
                    title: "The key “\(made.key.name)”", text: "Copy it now. It will not be shown again.",
                    value: made.token)
            },
            hasKeys: !page.items.isEmpty, pager: ListAddress(AdminPath.keys, of: visit).pager(page),
            apiKeys: page.items.map(row),
            draft: .init(label: visit.typed("name"), expiresAt: visit.typed("expiresAt")),
            scopes: scopes.values(chosen: admin.ticked("scopes") ?? []))
        return PageContent(values, title: "API keys")
    }

    private func row(_ row: ListedAPIKey) -> KeysValues.Key {
        let key = row.key
        let isExpired = key.expiresAt.map { $0 <= admin.site.now } ?? false
        return KeysValues.Key(
            id: key.id, label: key.name, scopesText: key.scopes.map(\.rawValue).joined(separator: " "),
            createdText: admin.day(key.createdAt), createdBy: row.creatorName ?? key.createdBy,
            usedText: key.lastUsedAt.map(admin.time) ?? "never",
            endsText: key.expiresAt.map { (isExpired ? "expired " : "") + admin.time($0) } ?? "never")
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
