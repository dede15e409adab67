import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

extension PageRoutes {
    /// Adds the pages of an account: its overview, the customer's name, e-mail address and password, its sessions and
    /// its data.
    func addAccountPages() {
        account("/account", title: "account-menu") { try await AccountValues($0) }

        let profile = account("/account/profile", title: "profile-title") { visit in
            let profile = try await visit.profile()
            return ProfileValues(
                name: visit.enteredValue("name", default: profile.name),
                mobileNumber: visit.enteredValue("mobileNumber", default: profile.mobileNumber), email: profile.email)
        }
        form(
            "/account/profile", does: Contract.updateProfile, then: "/account/profile", notice: "profile-saved",
            showing: profile)

        let password = account("/account/password", title: "password-title") {
            PasswordValues(email: try await $0.profile().email)
        }
        form(
            "/account/password", does: Contract.changePassword, then: "/account", notice: "password-changed",
            showing: password)

        let email = account("/account/email", in: "/account/profile", title: "email") { visit in
            let profile = try await visit.profile()
            return EmailValues(
                currentEmail: profile.email, isVerified: profile.emailVerified == true,
                email: visit.enteredValue("email"))
        }
        form(
            "/account/email", does: Contract.changeEmail, then: "/account/email", notice: "email-change-sent",
            showing: email)
        form(
            "/account/email/verification", does: Contract.requestVerification, then: "/account/email",
            notice: "verification-sent", showing: email)

        let sessions = account("/account/sessions", title: "sessions-title") {
            try await SessionsValues($0)
        }
        form(
            "/account/sessions/{id}/end", does: Contract.endSession, then: "/account/sessions", notice: "session-ended",
            showing: sessions)

        let data = account("/account/data", title: "data-title") { try await DataValues($0) }
        file("/account/data/export", for: .customer) { visit in
            var response = try await Submission(visit: visit).response(to: Contract.exportAccount)
            response.headers[.contentDisposition] = "attachment; filename=\"account.json\""
            return response
        }
        form("/account/data/delete", for: .customer, showing: data) { [site] submission in
            try await submission.perform(Contract.deleteAccount)
            site.sessions.end(in: submission.visit.cookies)
            return Redirect(to: "/account/deleted")
        }
        page("/account/deleted", for: .anyone) { visit in
            let heading = visit.text("account-deleted")
            let values = NoticeValues(
                heading: heading, paragraphs: [visit.text("account-deleted-text")],
                links: [.init(label: visit.text("problem-home"), url: "/", isPrimary: true)])
            return PageContent(values, title: heading)
        }
    }
}

struct AccountValues: PageModel {
    struct Person: TemplateValues {
        let name, email: String
        let mobileNumber: String?
    }

    let greeting: String
    let isUnverified: Bool
    let verifyText: String
    /// The latest orders.
    let orders: [ListedOrder]
    let profile: Person
    let addressLines: [String]
    let secondFactorText: String
    let canHaveSecondFactor: Bool

    /// The maximum number of orders in the overview.
    private static let orders = 3

    init(_ visit: Visit) async throws {
        let (profile, address, factor, orders) = try await visit.read { principal, repositories in
            let accounts = visit.site.services.accounts
            return (
                try accounts.profile(principal, in: repositories),
                try accounts.addresses(principal, in: repositories).first,
                try SecondFactors(visit.site.environment).state(of: principal, in: repositories),
                try repositories.orders.orders(ownerId: principal.ownerId, after: nil, limit: Self.orders).map(\.order)
            )
        }
        greeting = visit.text("account-greeting", profile.name)
        isUnverified = profile.emailVerified == false
        verifyText = visit.text("account-verify", profile.email)
        self.orders = orders.map { ListedOrder($0, visit) }
        self.profile = .init(name: profile.name, email: profile.email, mobileNumber: profile.mobileNumber)
        addressLines = address.map { visit.language.lines($0) } ?? []
        secondFactorText = visit.text(factor.isEnabled ? "account-factor-on" : "account-factor-off")
        canHaveSecondFactor = try visit.principal.kind == .admin
    }
}

struct ProfileValues: PageModel {
    let name, mobileNumber, email: String
}

struct PasswordValues: PageModel {
    let email: String
}

struct EmailValues: PageModel {
    let currentEmail: String
    let isVerified: Bool
    /// The new address.
    let email: String
}

struct SessionsValues: PageModel {
    struct Session: TemplateValues {
        let device, lastUsed: String
        let network: String?
        let isCurrent: Bool
        let endAction: String
    }

    let sessions: [Session]

    /// The maximum number of sessions in the list; omitted ones are older.
    private static let most = 100

    init(_ visit: Visit) async throws {
        let sessions = try await visit.read { [accounts = visit.site.services.accounts] principal, repositories in
            try accounts.sessions(of: principal, after: nil, limit: Self.most, in: repositories)
        }
        self.sessions = sessions.map { session in
            let time = visit.language.time(session.lastUsedAt, in: visit.site.shop.timeZone)
            return .init(
                device: Self.device(session, visit), lastUsed: visit.text("sessions-last-used", time),
                network: session.network, isCurrent: session.isCurrent,
                endAction: PagePath.path("/account/sessions/{}/end", session.id))
        }
    }

    private static func device(_ session: AccountSession, _ visit: Visit) -> String {
        guard let agent = session.userAgent, !agent.isEmpty else { return visit.text("sessions-unknown") }
        let device = DeviceName(agent)
        guard let system = device.system else { return device.program }
        return visit.text("sessions-device", device.program, system)
    }
}

/// The names of a browser and its operating system, from `User-Agent`. They help an owner to recognise a session and
/// are not used for decisions.
struct DeviceName {
    /// The name, such as “Firefox”; for another program, the first words of its `User-Agent`.
    let program: String
    let system: String?

    /// The browsers, in the order of the checks: most browsers also name those that they are derived from.
    private static let browsers = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("FxiOS", "Firefox"),
        ("Firefox", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
        ("Mac OS X", "macOS"), ("Linux", "Linux"),
    ]

    init(_ userAgent: String) {
        let isBrowser = userAgent.hasPrefix("Mozilla/")
        let browser = isBrowser ? Self.browsers.first { userAgent.contains($0.0) } : nil
        program = browser?.1 ?? String(userAgent.prefix(60))
        system = browser.flatMap { _ in Self.systems.first { userAgent.contains($0.0) }?.1 }
    }
}

struct DataValues: PageModel {
    let keepText: String
    /// Descriptions of the orders that keep the buyer's name.
    let kept: [String]

    /// The maximum number of listed orders.
    private static let most = 20

    init(_ visit: Visit) async throws {
        let orders = try await visit.read { principal, repositories in
            try repositories.orders.orders(ownerId: principal.ownerId, after: nil, limit: Self.most).map(\.order)
        }
        let (retention, now) = (OrderRetention(visit.site.environment), visit.site.now)
        keepText = visit.text("data-keep", visit.language.number(visit.site.shop.orderBuyerDays))
        kept = orders.compactMap { order in
            guard let end = retention.end(of: order) else {
                return visit.text("data-kept-open", order.number)
            }
            guard end > now else { return nil }
            return visit.text("data-kept-until", order.number, visit.language.day(end, in: visit.site.shop.timeZone))
        }
    }
}

/// A page with a message and links to continue.
struct NoticeValues: PageModel {
    let heading: String
    let paragraphs: [String]
    let links: [ActionLink]
}

/// The values of the partial `account-menu`, around the values of a page.
struct AccountFrame: TemplateValues {
    /// The path of each page in the menu, and the key of its name.
    private static let items = [
        ("/account", "account-overview"), (PagePath.orders, "orders-title"), ("/account/profile", "profile-title"),
        (PagePath.addresses, "addresses-title"), ("/account/password", "password"),
        ("/account/sessions", "sessions-title"), ("/account/data", "data-title"),
    ]

    /// Whether the visitor is signed in; a guest has no menu.
    let isSignedIn: Bool
    let accountMenu: [PageFrame.MenuLink]

    init(_ visit: Visit, current: String) {
        isSignedIn = visit.isSignedIn
        accountMenu = (isSignedIn ? Self.items : []).map { path, text in
            .init(name: visit.text(text), url: path, isCurrent: path == current)
        }
    }
}

extension Visit {
    /// Creates a page of the account, with its menu.
    ///
    /// - Parameters:
    ///   - path: the path of the page in the menu.
    ///   - title: the key of the title's text.
    func accountPage(_ values: some PageModel, in path: String, title: String) -> PageContent {
        var content = PageContent(values, title: text(title))
        content.frame = AccountFrame(self, current: path)
        return content
    }

    func profile() async throws -> Profile {
        try await read { [accounts = site.services.accounts] in try accounts.profile($0, in: $1) }
    }
}

extension PageRoutes {
    /// Adds a page of the account, with its menu.
    ///
    /// - Parameters:
    ///   - menu: the path of the page that the menu shows as current; nil for the page itself.
    ///   - title: the key of the title's text.
    @discardableResult
    func account<Values: PageModel>(
        _ path: String, in menu: String? = nil, title: String,
        _ values: @escaping @Sendable (Visit) async throws -> Values
    ) -> PageRoute {
        page(RouterPath(path), for: .customer) { visit in
            visit.accountPage(try await values(visit), in: menu ?? path, title: title)
        }
    }
}
