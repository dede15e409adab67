import Hummingbird
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

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

    init(_ site: Site, _ visit: Visit, current: String) {
        isSignedIn = visit.isSignedIn
        accountMenu = (isSignedIn ? Self.items : []).map { path, text in
            .init(name: site.text(text, visit), url: path, isCurrent: path == current)
        }
    }
}

extension Site {
    /// Creates a page of the account, with its menu.
    ///
    /// - Parameters:
    ///   - path: the path of the page in the menu.
    ///   - title: the key of the title's text.
    func accountPage(_ values: some PageModel, in path: String, title: String, _ visit: Visit) -> PageContent {
        var content = PageContent(values, title: text(title, visit))
        content.frame = AccountFrame(self, visit, current: path)
        return content
    }

    func profile(_ visit: Visit) async throws -> Profile {
        try await read(visit) { [accounts = services.accounts] in try accounts.profile($0, in: $1) }
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
        page(RouterPath(path), for: .customer) { [site] visit in
            site.accountPage(try await values(visit), in: menu ?? path, title: title, visit)
        }
    }
}
