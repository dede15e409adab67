import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

extension PageRoutes {
    /// Adds the page of staff members and invitations. All changes require a recent sign-in.
    func addStaffPages() {
        let page = admin(.staff) { try await StaffPage(admin: $0).content() }
        form("/admin/staff", for: Contract.inviteStaff.endpoint.access, showing: page) { submission in
            let member = try await submission.send(Contract.inviteStaff)
            submission.tell("An invitation was sent to \(member.email).")
            return Redirect(to: AdminSection.staff.path)
        }
        form("/admin/staff/{id}/role", does: Contract.changeStaffRole, showing: page) { member in
            let name = member.name ?? member.email
            let ended = member.role == .owner ? "" : " API keys and invitations created by \(name) have ended."
            return ("\(name)'s role is now \(member.role.title).\(ended)", AdminSection.staff.path)
        }
        form(
            "/admin/staff/{id}/remove", does: Contract.removeStaff, then: AdminSection.staff.path,
            telling: "The member was removed. "
                + "Their sessions, API keys and invitations have ended; their webhooks are off.", showing: page)
    }
}

struct StaffValues: PageModel {
    struct Member: TemplateValues {
        let id: String
        /// The name of the member; nil for an invited person.
        let memberName: String?
        let email: String
        let status: StatusValues
        let factorText: String?
        let canChange, canRemove: Bool
        let removeLabel, roleText: String
        let roles: [Choice.Values]
    }

    /// The fields of an invitation.
    struct Draft: TemplateValues {
        let email: String
    }

    let members: [Member]
    let pager: PagerValues?
    let draft: Draft
    let inviteRoles: [Choice.Values]
}

struct StaffPage {
    private static let roles = StaffRole.allCases.filter { $0 != .unrecognised }.map { role in
        Choice(role.rawValue, label(role), text: text(role))
    }

    let admin: AdminVisit

    func content() async throws -> PageContent {
        let visit = admin.visit
        let now = admin.site.now
        let page = try await admin.list("staff", like: Contract.staff, key: \.id) { repositories, after, limit in
            try repositories.staff.members(after: after, limit: limit, at: now)
        }
        let isInvitation = visit.path == AdminSection.staff.path
        let chosen = isInvitation ? visit.form?["role"] : nil
        let values = StaffValues(
            members: page.items.map(row), pager: ListAddress(AdminSection.staff.path, of: visit).pager(page),
            draft: .init(email: isInvitation ? visit.enteredValue("email") : ""),
            inviteRoles: Self.roles.values(chosen: chosen ?? StaffRole.support.rawValue))
        return PageContent(values, title: "Staff")
    }

    private func row(_ member: StaffMember) -> StaffValues.Member {
        let isInvited = member.status == .invited
        // Owners who accidentally remove their own role would need another owner to restore it.
        let isSelf = member.id == admin.principal.ownerId
        return StaffValues.Member(
            id: member.id, memberName: member.name?.ifNotEmpty, email: member.email,
            status: isInvited ? StatusTone.warn.status("Invited") : StatusTone.good.status("Active"),
            factorText: member.invitationExpiresAt.map { "valid until \(admin.day($0))" }
                ?? member.hasSecondFactor.map { $0 ? "with two-factor authentication" : "password only" },
            canChange: !isInvited && !isSelf, canRemove: !isSelf, removeLabel: isInvited ? "Withdraw" : "Remove",
            roleText: Self.label(member.role), roles: Self.roles.values(chosen: member.role.rawValue))
    }

    private static func label(_ role: StaffRole) -> String {
        role.title.prefix(1).uppercased() + role.title.dropFirst()
    }

    private static func text(_ role: StaffRole) -> String {
        switch role {
        case .owner: "Full access."
        case .manager: "Manages everything except staff and API keys."
        case .support: "Supports customers and sends their orders."
        case .readOnly: "Sees the catalogue, orders, customers, figures and events; cannot change anything."
        case .unrecognised: ""
        }
    }
}

extension PageRoutes {
    /// Adds the page of the keys that programs use to call the admin API.
    func addKeyPages() {
        let page = admin(.keys) { try await KeyPage(admin: $0).content() }
        form("/admin/keys", for: Contract.createAPIKey.endpoint.access, showing: page) { submission, admin in
            let made = try await submission.send(Contract.createAPIKey)
            return try await KeyPage(admin: admin).content(showing: made)
        }
        form(
            "/admin/keys/{id}/revoke", does: Contract.revokeAPIKey, then: AdminSection.keys.path,
            telling: "The key was revoked. Requests with it are refused, and webhooks it added are off.", showing: page)
    }
}

struct KeysValues: PageModel {
    struct Key: TemplateValues {
        let id, label, scopesText, createdText, createdBy, usedText, endsText: String
    }

    /// The fields of a new key.
    struct Draft: TemplateValues {
        let label, expiresAt: String
    }

    let secret: SecretValues?
    let pager: PagerValues?
    let apiKeys: [Key]
    let draft: Draft
    let scopes: [Choice.Values]
}

/// The values of the partial `admin-secret`, which are shown only once.
struct SecretValues: TemplateValues {
    let title, text, value: String
}

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
            pager: ListAddress(AdminSection.keys.path, of: visit).pager(page),
            apiKeys: page.items.map(row),
            draft: .init(label: visit.enteredValue("name"), expiresAt: visit.enteredValue("expiresAt")),
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
