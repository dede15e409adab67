import Foundation
import PouchClient
import PouchCoordination
import PouchScreens

/// Pages to open from outside: those of links, of push notifications and of an earlier run.
extension AppCoordinator {
    /// The maximum number of restored pages.
    private static var maxPages: Int { 32 }

    /// Opens the page of a link, as `open(_:)` does.
    ///
    /// - Parameters:
    ///   - link: a link from any origin.
    ///   - shop: the shop's web address, for links without the scheme `pouch`.
    /// - Returns: false for a URL that is not a link to a page; nothing was done.
    @discardableResult
    public final func open(_ link: URL, of shop: URL? = nil) async throws -> Bool {
        guard let page = ShopPage(url: link, of: shop) else { return false }
        try await open(page)
        return true
    }

    /// Receives a push notification: opens its page if the user tapped it, otherwise shows it as a message.
    ///
    ///     // In UNUserNotificationCenterDelegate:
    ///     let push = PushMessage(payload: response.notification.request.content.userInfo, of: shop)
    ///     try await app.receivePush(push, isTapped: true)
    ///
    /// - Parameters:
    ///   - push: nil for a payload that names no page, which is ignored.
    ///   - isTapped: whether the user tapped the notification.
    /// - Throws: as `open` does.
    @discardableResult
    public final func receivePush(_ push: PushMessage?, isTapped: Bool) async throws -> PushOutcome {
        guard let push else { return .ignored }
        guard isTapped else {
            try await pushReceiver.receive(push)
            return .shown(push.page)
        }
        try await open(push.page)
        return .opened(push.page)
    }

    /// The pages on screen that can be opened again, in the order in which to open them: the last is the topmost one
    /// that the user sees. Forms, such as those of a checkout or the sign-in, are not included. While `restore` runs
    /// and the user does not navigate, they are the pages to restore.
    ///
    /// Store them when the app leaves the screen, as `pages.json`, and pass them to `restore` at the next start.
    public final var pages: [ShopPage] {
        let shown = shownPages
        guard let restoration, restoration.isUndisturbed(in: shown) else { return shown }
        return restoration.pages
    }

    private var shownPages: [ShopPage] {
        stack.allScreens.compactMap { screen in
            guard let screen = screen as? any ShopScreen else { return nil }
            // In the form that its link restores; pages without a link are omitted.
            return nearest(above: screen).page(of: screen)?.url().flatMap { ShopPage(url: $0) }
        }
    }

    /// Opens the pages of an earlier run, one over the other, starting at home. It waits for the managers that they
    /// require, and skips pages that the app does not offer. It ends early once the user navigates elsewhere. A page
    /// that requires a session opens after signing in. Ignored while an earlier call runs.
    ///
    /// - Parameter pages: only the last 32 are opened.
    public final func restore(_ pages: [ShopPage]) async {
        guard restoration == nil else { return }
        let earlier = Array(pages.suffix(Self.maxPages))
        var next = earlier.filter { $0 != .home }
        // The user saw home next to the others.
        if earlier.last == .home, !next.isEmpty { next.append(.home) }
        restoration = Restoration(pages: earlier, before: shownPages)
        defer { restoration = nil }
        for page in next {
            guard restoration?.isUndisturbed(in: shownPages) == true else { return }
            do {
                try await open(page)
                restoration?.opened.append(page)
            } catch is ScreenFailure {
                continue
            } catch {
                return
            }
        }
    }
}

/// The opening of an earlier run's pages.
struct Restoration {
    let pages: [ShopPage]
    /// The pages with which the app has started, such as a cart in a column of its own.
    let before: [ShopPage]
    var opened: [ShopPage] = []

    /// Whether the pages on screen are those of the start and those opened so far: the user has not navigated. Their
    /// order depends on tabs and columns, and home may be below them.
    func isUndisturbed(in shown: [ShopPage]) -> Bool {
        Set(shown).union([.home]) == Set(before + opened).union([.home])
    }
}

extension ShopPage {
    /// The page of one of the shop's own screens; nil for a form.
    @MainActor
    init?(of screen: any ShopScreen) {
        switch screen {
        case is any HomeScreen: self = .home
        case let listing as any ListingScreen: self = .listing(listing.query)
        case let product as any ProductScreen: self = .product(handle: product.handle)
        case is any CartScreen: self = .cart
        case is any ProfileScreen: self = .profile
        case is any OrdersScreen: self = .orders
        case let order as any OrderScreen: self = .order(id: order.orderId)
        default: return nil
        }
    }
}
