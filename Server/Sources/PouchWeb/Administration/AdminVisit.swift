import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchWire

extension PageRoutes {
    /// Adds a page of the administration, in its frame.
    ///
    ///     let new = admin("/admin/discounts/new", .writeDiscounts) { admin in PageContent(new, title: "New discount") }
    ///
    /// - Parameter permission: the required permission; nil for every staff member. Members without it see a page that
    ///   explains this, and everyone else is asked to sign in.
    /// - Returns: the page for one visitor, for forms that show it again.
    @discardableResult
    func admin(
        _ path: RouterPath, _ permission: Permission?,
        _ make: @escaping @Sendable (AdminVisit) async throws -> PageContent
    ) -> PageRoute {
        page(path, for: permission.map { .staff($0) } ?? .customer, framed(make))
    }

    /// Adds a page of a section of the administration, for the members who may see the section.
    ///
    ///     let order = admin(.orders, "/{id}") { admin in PageContent(order, title: "Order") }
    ///     form("/admin/orders/{id}/deliver", does: Contract.deliverOrder, then: "/admin/orders/{id}", showing: order)
    ///
    /// - Parameter rest: the path after the section's.
    @discardableResult
    func admin(
        _ section: AdminSection, _ rest: String = "",
        _ make: @escaping @Sendable (AdminVisit) async throws -> PageContent
    ) -> PageRoute {
        admin(RouterPath(section.path + rest), section.permission, make)
    }

    /// Creates a page in the frame, for forms that show it at a different address.
    func framed(_ make: @escaping @Sendable (AdminVisit) async throws -> PageContent) -> Make {
        { visit in
            let admin = try await AdminVisit(visit)
            return admin.framed(try await make(admin))
        }
    }

    /// Adds a form of the administration whose response is a page, for content that is shown only once, such as a
    /// secret. The response must not be stored: sending the form again, for example by reloading, redirects to the
    /// form's page.
    ///
    /// - Parameter make: creates the page from the visit without the form's entries.
    func form(
        _ path: RouterPath, for access: Access, showing page: PageRoute,
        answering make: @escaping @Sendable (Submission, AdminVisit) async throws -> PageContent
    ) {
        form(path, for: access, showing: page) { submission in
            var visit = submission.visit
            visit.form = nil
            let admin = try await AdminVisit(visit)
            if let content = try await submission.once({ try await make(submission, admin) }) {
                return admin.framed(content)
            }
            let notice = Notice("This form was already sent. Its secret is shown only once.", isGood: false)
            visit.show(notice)
            return Redirect(to: try page.address(visit))
        }
    }
}

/// The context of an admin page: the visit, the signed-in member, and the member's permissions.
struct AdminVisit: Sendable {
    var visit: Visit
    let principal: Principal
    let profile: Profile
    let role: StaffRole
    /// The number of orders to send, up to a limit, and the time of the oldest; nil for a member who may not see
    /// orders.
    let unsent: (count: Count, oldest: Date?)?

    var site: Site { visit.site }
    var permissions: Set<Permission> { role.permissions }
    func may(_ permission: Permission) -> Bool { permissions.contains(permission) }

    /// - Throws: `Redirect` to the sign-in for customers and guests; `DomainError` for a member without permission.
    init(_ visit: Visit) async throws {
        guard try visit.principal.kind == .admin else { throw Redirect(to: AdminPath.signIn) }
        self = try await visit.read { principal, repositories in
            try AdminVisit(visit, principal, in: repositories)
        }
    }

    private init(_ visit: Visit, _ principal: Principal, in repositories: any ShopRepositories) throws {
        guard let role = try repositories.staff.staffStatus(sessionId: principal.sessionId)?.role else {
            throw DomainError.unauthenticated
        }
        self.visit = visit
        self.principal = principal
        self.role = role
        profile = try visit.site.services.accounts.profile(principal, in: repositories)
        unsent = try role.permissions.contains(.readOrders) ? Self.unsent(in: repositories) : nil
    }

    private static func unsent(in repositories: any ShopRepositories) throws -> (count: Count, oldest: Date?) {
        var oldest: Date?
        let count = try Count { limit in
            let found = try repositories.orders.unsent(limit: limit)
            oldest = found.oldest
            return found.count
        }
        return (count, oldest)
    }

    /// Returns the visit of a page that every member may see.
    ///
    /// - Parameter visit: the visit, which may have no session.
    /// - Returns: the visit; nil for a visitor who is not a staff member.
    static func withoutPermissionCheck(_ visit: Visit) async throws -> AdminVisit? {
        var visit = visit
        if visit.session == nil {
            visit.session = try await visit.site.sessions.session(of: visit.cookies, visit.request, visit.context)
        }
        guard let session = visit.session, session.principal.kind == .admin else { return nil }
        var principal = session.principal
        principal.requirements = nil
        visit.session = WebSession(principal: principal, accessToken: session.accessToken)
        return try await AdminVisit(visit)
    }

    /// Runs a read transaction for the member's session.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any ShopRepositories) throws -> Result
    ) async throws -> Result {
        try await visit.read { try body($1) }
    }

    /// The content with the values of `admin-head`.
    func framed(_ content: PageContent) -> PageContent { content.framed(visit, member: self) }
}

extension AdminVisit {
    /// A number that is counted up to a limit, so that a long list takes no longer than a short one.
    struct Count: Sendable {
        static let limit = 50

        private let counted: Int
        var isZero: Bool { counted == 0 }
        /// Whether the actual number is higher.
        var isCapped: Bool { counted > Self.limit }
        var text: String { isCapped ? "\(Self.limit)+" : String(counted) }

        /// - Parameter count: counts up to the limit.
        init(_ count: (_ limit: Int) throws -> Int) rethrows {
            counted = try count(Self.limit + 1)
        }
    }
}

extension PageRoutes {
    /// Returns a file from the API, with the API's checks.
    ///
    /// - Parameter query: the query of the API request.
    func answer(
        _ path: RouterPath, by exchange: any AnyExchange,
        query: @escaping @Sendable (Visit) -> QueryString = { _ in QueryString() }
    ) {
        file(path, for: exchange.endpoint.access) { visit in
            try await Submission(visit: visit).response(to: exchange, query: query(visit))
        }
    }
}
