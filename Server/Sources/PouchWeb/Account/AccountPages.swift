import Foundation
import HTTPTypes
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

struct AccountValues: PageModel {
    static let template = "account"

    struct Person: TemplateValues {
        let name, email: String
        let mobileNumber: String?
    }

    let greeting: String
    let isUnverified: Bool
    let verifyText: String
    let hasOrders: Bool
    /// The latest orders.
    let orders: [ListedOrder]
    let profile: Person
    let hasAddress: Bool
    let addressLines: [String]
    let secondFactorText: String
    let canHaveSecondFactor: Bool
}

struct SessionsValues: PageModel {
    static let template = "sessions"

    struct Session: TemplateValues {
        let device, lastUsed: String
        let network: String?
        let isCurrent: Bool
        let endAction: String
    }

    let sessions: [Session]
}

struct DataValues: PageModel {
    static let template = "data"

    let keepText: String
    let hasKept: Bool
    /// Descriptions of the orders that keep the buyer's name.
    let kept: [String]
}

/// A page with a message and links to continue.
struct NoticeValues: PageModel {
    static let template = "notice"

    let heading: String
    let paragraphs: [String]
    let links: [ActionLink]
}

extension PageRoutes {
    /// Adds the pages with an account's overview, sessions and data.
    func addAccountPages() {
        let pages = AccountPages(site: site)
        page("/account", for: .customer) { try await pages.overview($0) }

        let sessions = page("/account/sessions", for: .customer) { try await pages.sessions($0) }
        form(
            "/account/sessions/{id}/end", does: Contract.endSession, then: "/account/sessions", notice: "session-ended",
            showing: sessions)

        let data = page("/account/data", for: .customer) { try await pages.data($0) }
        file("/account/data/export", for: .customer) { [site] visit in
            let submission = Submission(site: site, visit: visit, form: FormBody([]))
            var response = try await submission.response(to: Contract.exportAccount)
            response.headers[.contentDisposition] = "attachment; filename=\"account.json\""
            return response
        }
        form("/account/data/delete", for: .customer, showing: data) { [site] submission in
            try await submission.perform(Contract.deleteAccount)
            site.sessions.end(in: submission.visit.cookies)
            return Redirect(to: "/account/deleted")
        }
        page("/account/deleted", for: .anyone) { pages.farewell($0) }
    }
}

private struct AccountPages: Sendable {
    /// The maximum number of orders in the overview.
    private static let orders = 3
    /// The maximum number of sessions in the list; omitted ones are older.
    private static let sessions = 100
    /// The maximum number of listed orders that keep the buyer's name.
    private static let keptOrders = 20

    let site: Site

    func overview(_ visit: Visit) async throws -> PageContent {
        let (profile, address, factor, orders) = try await site.read(visit) { [site] principal, repositories in
            let accounts = site.services.accounts
            return (
                try accounts.profile(principal, in: repositories),
                try accounts.addresses(principal, in: repositories).first,
                try SecondFactors(site.environment).state(of: principal, in: repositories),
                try repositories.orders.orders(ownerId: principal.ownerId, after: nil, limit: Self.orders).map(\.order)
            )
        }
        let isStaff = try visit.principal.kind == .admin
        let values = AccountValues(
            greeting: site.text("account-greeting", visit, profile.name),
            isUnverified: profile.emailVerified == false,
            verifyText: site.text("account-verify", visit, profile.email), hasOrders: !orders.isEmpty,
            orders: orders.map { ListedOrder($0, site, visit) },
            profile: .init(name: profile.name, email: profile.email, mobileNumber: profile.mobileNumber),
            hasAddress: address != nil, addressLines: address.map { visit.language.lines($0) } ?? [],
            secondFactorText: site.text(factor.isEnabled ? "account-factor-on" : "account-factor-off", visit),
            canHaveSecondFactor: isStaff)
        return site.accountPage(values, .overview, title: "account-menu", visit)
    }

    func sessions(_ visit: Visit) async throws -> PageContent {
        let sessions = try await site.read(visit) { [site] principal, repositories in
            try site.services.accounts.sessions(of: principal, after: nil, limit: Self.sessions, in: repositories)
        }
        let rows = sessions.map { session -> SessionsValues.Session in
            let time = visit.language.time(session.lastUsedAt, in: site.shop.timeZone)
            return .init(
                device: device(session, visit), lastUsed: site.text("sessions-last-used", visit, time),
                network: session.network, isCurrent: session.isCurrent,
                endAction: PagePath.path("/account/sessions/{}/end", session.id))
        }
        return site.accountPage(SessionsValues(sessions: rows), .sessions, title: "sessions-title", visit)
    }

    private func device(_ session: AccountSession, _ visit: Visit) -> String {
        guard let agent = session.userAgent, !agent.isEmpty else { return site.text("sessions-unknown", visit) }
        let device = DeviceName(agent)
        guard let system = device.system else { return device.program }
        return site.text("sessions-device", visit, device.program, system)
    }

    func data(_ visit: Visit) async throws -> PageContent {
        let orders = try await site.read(visit) { principal, repositories in
            try repositories.orders.orders(ownerId: principal.ownerId, after: nil, limit: Self.keptOrders).map(\.order)
        }
        let (retention, now) = (OrderRetention(site.environment), site.now)
        let kept = orders.compactMap { order -> String? in
            guard let end = retention.end(of: order) else {
                return site.text("data-kept-open", visit, order.number)
            }
            guard end > now else { return nil }
            return site.text("data-kept-until", visit, order.number, visit.language.day(end, in: site.shop.timeZone))
        }
        let days = visit.language.number(site.shop.orderBuyerDays)
        let values = DataValues(keepText: site.text("data-keep", visit, days), hasKept: !kept.isEmpty, kept: kept)
        return site.accountPage(values, .data, title: "data-title", visit)
    }

    /// The page after the account was deleted.
    func farewell(_ visit: Visit) -> PageContent {
        let heading = site.text("account-deleted", visit)
        let values = NoticeValues(
            heading: heading, paragraphs: [site.text("account-deleted-text", visit)],
            links: [.init(label: site.text("problem-home", visit), url: "/", isPrimary: true)])
        return PageContent(values, title: heading)
    }
}
