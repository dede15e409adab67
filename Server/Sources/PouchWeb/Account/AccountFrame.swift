import PouchDomain
import PouchEntities
import PouchTemplates

/// The values of the partial `account-menu`, around the values of a page.
struct AccountFrame: TemplateValues {
    enum Item: String, CaseIterable {
        case overview = "/account"
        case orders = "/orders"
        case profile = "/account/profile"
        case addresses = "/account/addresses"
        case password = "/account/password"
        case sessions = "/account/sessions"
        case data = "/account/data"

        fileprivate var text: String {
            switch self {
            case .overview: "account-overview"
            case .orders: "orders-title"
            case .profile: "profile-title"
            case .addresses: "addresses-title"
            case .password: "password"
            case .sessions: "sessions-title"
            case .data: "data-title"
            }
        }
    }

    /// Whether the visitor is signed in; a guest has no menu.
    let isSignedIn: Bool
    let accountMenu: [PageFrame.MenuLink]

    init(_ site: Site, _ visit: Visit, current: Item) {
        isSignedIn = visit.session?.principal.isGuest == false
        let items = isSignedIn ? Item.allCases : []
        accountMenu = items.map { item in
            .init(name: site.text(item.text, visit), url: item.rawValue, isCurrent: item == current)
        }
    }
}

extension Site {
    /// Adds a page of the account, with its menu.
    ///
    /// - Parameter title: the key of the title's text.
    func accountPage(
        _ values: some PageModel, _ item: AccountFrame.Item, title: String, _ visit: Visit
    ) -> PageContent {
        var content = PageContent(values, title: text(title, visit))
        content.frame = AccountFrame(self, visit, current: item)
        return content
    }
}
