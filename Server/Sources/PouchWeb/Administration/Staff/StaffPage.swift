import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchTemplates
import PouchWire

extension PageRoutes {
    /// Adds the page of staff members and invitations. All changes require a recent sign-in.
    func addStaffPages() {
        let access = Contract.inviteStaff.endpoint.access
        let page = admin("/admin/staff", .manageStaff) { try await StaffPage(admin: $0).content() }
        form("/admin/staff", for: access, showing: page) { submission in
            let member = try await submission.invite()
            submission.tell("An invitation was sent to \(member.email).")
            return Redirect(to: AdminPath.staff)
        }
        form("/admin/staff/{id}/role", for: access, showing: page) { submission in
            let member = try await submission.send(Contract.changeStaffRole)
            let name = member.name ?? member.email
            let ended = member.role == .owner ? "" : " API keys and invitations created by \(name) have ended."
            submission.tell("\(name)'s role is now \(member.role.title).\(ended)")
            return Redirect(to: AdminPath.staff)
        }
        form("/admin/staff/{id}/remove", for: access, showing: page) { submission in
            try await submission.perform(Contract.removeStaff)
            submission.tell(
                "The member was removed. Their sessions, API keys and invitations have ended; their webhooks are off.")
            return Redirect(to: AdminPath.staff)
        }
    }
}

extension Submission {
    /// - Throws: `RequestProblem`. For an existing member, which the API reports like a customer's account, it names
    ///   the member.
    fileprivate func invite() async throws -> StaffMember {
        do {
            return try await send(Contract.inviteStaff)
        } catch let error where RequestProblem(error)?.code == .emailTaken {
            let email = form["email"] ?? ""
            let name = try await site.read(visit) { _, repositories in
                try repositories.accounts.account(email: AccountRules.lookupEmail(email))?.name
            }
            let field = FieldProblem(
                field: "email", code: "invalid", detail: "\(name ?? email) is already a staff member.")
            throw RequestProblem(.emailTaken, nil, [field])
        }
    }
}

struct StaffValues: PageModel {
    static let template = "admin-staff"

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

/// Creates the page of the staff.
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
        let isInvitation = visit.path == AdminPath.staff
        let chosen = isInvitation ? visit.form?["role"] : nil
        let values = StaffValues(
            members: page.items.map(row), pager: ListAddress(AdminPath.staff, of: visit).pager(page),
            draft: .init(email: isInvitation ? visit.typed("email") : ""),
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
