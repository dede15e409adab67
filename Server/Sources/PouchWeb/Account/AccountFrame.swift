import PouchDomain
import PouchEntities

/// The menu that all account pages share.
struct AccountFrame: Sendable {
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

    let site: Site
    let visit: Visit

    /// A page of the account, with its menu.
    func content(_ template: String, _ item: Item, title: String, _ values: PageValues) -> PageContent {
        PageContent(template, title: site.text(title, visit), menu(current: item).merging(values) { $1 })
    }

    /// The values of the partial `account-menu`. A guest has no menu.
    func menu(current: Item) -> PageValues {
        guard let principal = visit.session?.principal, !principal.isGuest else { return ["isSignedIn": false] }
        return [
            "isSignedIn": true,
            "accountMenu": Item.allCases.map { item -> PageValues in
                ["name": site.text(item.text, visit), "url": item.rawValue, "isCurrent": item == current]
            },
        ]
    }
}
