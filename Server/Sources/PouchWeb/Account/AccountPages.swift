import Foundation
import HTTPTypes
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchWire

extension PageRoutes {
    /// The overview of an account, its sessions and its data.
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
            var response = try await submission.answer(Contract.exportAccount)
            response.headers[.contentDisposition] = "attachment; filename=\"account.json\""
            return response
        }
        form("/account/data/delete", for: .customer, showing: data) { [site] submission in
            try await submission.send(Contract.deleteAccount)
            site.sessions.end(in: submission.visit.cookies)
            return Redirect(to: "/account/deleted")
        }
        page("/account/deleted", for: .anyone) { pages.farewell($0) }
    }
}

private struct AccountPages: Sendable {
    /// The latest orders of the overview.
    private static let orders = 3
    /// The sessions of the list; the others are older.
    private static let sessions = 100
    /// The latest orders of the list of those that keep the buyer's name.
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
        var person: PageValues = ["name": profile.name, "email": profile.email]
        person["mobileNumber"] = profile.mobileNumber
        var values: PageValues = [
            "greeting": site.text("account-greeting", visit, profile.name),
            "isUnverified": profile.emailVerified == false,
            "verifyText": site.text("account-verify", visit, profile.email), "hasOrders": !orders.isEmpty,
            "orders": orders.map { OrderList.row($0, site, visit) }, "profile": person, "hasAddress": address != nil,
            "canHaveSecondFactor": isStaff,
            "secondFactorText": site.text(factor.isEnabled ? "account-factor-on" : "account-factor-off", visit),
        ]
        values["addressLines"] = address.map(AddressValues(visit: visit, shop: site.shop).lines)
        return AccountFrame(site: site, visit: visit).content("account", .overview, title: "account-menu", values)
    }

    func sessions(_ visit: Visit) async throws -> PageContent {
        let sessions = try await site.read(visit) { [site] principal, repositories in
            try site.services.accounts.sessions(of: principal, after: nil, limit: Self.sessions, in: repositories)
        }
        let rows = sessions.map { session -> PageValues in
            let time = visit.language.time(session.lastUsedAt, in: site.shop.timeZone)
            var values: PageValues = [
                "device": device(session, visit), "isCurrent": session.isCurrent,
                "lastUsed": site.text("sessions-last-used", visit, time),
                "endAction": PagePath.path("/account/sessions/{}/end", session.id),
            ]
            values["network"] = session.network
            return values
        }
        return AccountFrame(site: site, visit: visit).content(
            "sessions", .sessions, title: "sessions-title", ["sessions": rows])
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
        return AccountFrame(site: site, visit: visit).content(
            "data", .data, title: "data-title",
            [
                "keepText": site.text("data-keep", visit, visit.language.number(site.shop.orderBuyerDays)),
                "hasKept": !kept.isEmpty, "kept": kept,
            ])
    }

    /// After the account is gone.
    func farewell(_ visit: Visit) -> PageContent {
        let heading = site.text("account-deleted", visit)
        return PageContent(
            "notice", title: heading,
            [
                "heading": heading, "paragraphs": [site.text("account-deleted-text", visit)],
                "links": [["label": site.text("problem-home", visit), "url": "/", "isPrimary": true] as PageValues],
            ])
    }
}
