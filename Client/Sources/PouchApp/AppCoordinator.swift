import Foundation
import PouchClient
import PouchCoordination
import PouchScreens

/// The root of a shop's coordinators. It shows the sections, and handles the messages that any screen may send.
///
/// Start it, and set its dependency as soon as the managers exist, before or after the start:
///
///     let app = AppCoordinator(on: surface, screens: factory)
///     app.start()
///     app.dependency = AppDependency(Pouch(server: url))
public final class AppCoordinator: ShopCoordinator {
    public init(on surface: any NavigationSurface, screens factory: any ScreenFactory) {
        super.init(on: NavigationStack(on: surface), screens: factory)
    }

    public override func didStart() {
        startCatalog()
    }

    @discardableResult
    private func startCatalog() -> CatalogCoordinator {
        let catalog = CatalogCoordinator(on: stack, screens: factory)
        start(catalog)
        return catalog
    }

    /// Shows a page on a request from outside, such as a link that opened the app. Unlike `show`, it waits for the
    /// managers that the page needs.
    ///
    /// - Throws: as `send` does.
    public func open(_ page: ShopPage) async throws {
        try await receive(as: (any NavigationMessages).self) { try await $0.show(page) }
    }

    /// The root continues without screens of its own.
    public override func didPopAll() {}

    override func go(to page: ShopPage) async throws {
        try await show(page)
    }

    // MARK: Sessions

    override func managersDidChange() {
        child(NotificationCoordinator.self)?.stop()
        guard let account = dependency?.account else { return }
        let cart = dependency?.cart
        untilDependencyChanges { [weak self] in
            // The notification coordinator cannot do this: it stops with the session.
            for await _ in account.lostSessions() { self?.notify(.sessionLost) }
        }
        untilDependencyChanges { [weak self] in
            do throws(DataError) {
                try await account.restore()
                // Signed-out edits are restored too, and start no guest session.
                try await cart?.restore()
            } catch {
                if error.reason == .sessionStorage { self?.notify(Notice(error)) }
            }
            var owner: String?
            var visit: Task<Void, Never>?
            defer { visit?.cancel() }
            var isRestored = true
            for await session in account.sessions() {
                if session?.owner != owner {
                    owner = session?.owner
                    visit?.cancel()
                    visit = nil
                    let isNewGuest = session?.kind == .guest && !isRestored
                    if let session, !isNewGuest { visit = self?.resumeVisit(of: session.owner) }
                    self?.restartNotifications(for: session, isNew: isNewGuest)
                }
                isRestored = false
            }
        }
        keepCatalog()
    }

    private func restartNotifications(for session: UserSession?, isNew: Bool) {
        child(NotificationCoordinator.self)?.stop()
        guard let session else { return }
        start(NotificationCoordinator(for: session.kind, isNew: isNew, on: stack, screens: factory))
    }

    /// Settles unfinished purchases and loads the cart.
    private func resumeVisit(of owner: String) -> Task<Void, Never>? {
        guard dependency?.account?.session?.owner == owner, let cart = dependency?.cart,
            let checkout = dependency?.checkout, let connection = dependency?.connection
        else { return nil }
        return Task { [weak self] in
            // Does not start a guest session just to refresh, if the session ends before.
            async let refreshed = try? cart.refresh(startsSession: false)
            await checkout.settlePurchases(over: connection) { [weak self] in self?.notify($0) }
            _ = await refreshed
        }
    }

    private func keepCatalog() {
        guard let dependency, dependency.keepsCatalog, let catalog = dependency.catalog else { return }
        let clock = dependency.clock
        untilDependencyChanges {
            // Sends no request while the import is fresh.
            repeat { try? await catalog.keepImported() } while (try? await clock.sleep(for: .seconds(600))) != nil
        }
    }
}

extension AppCoordinator: NavigationMessages {
    public func show(_ page: ShopPage) async throws {
        switch page {
        case .home, .listing, .product:
            child(AccountCoordinator.self)?.stop()
            try await (child(CatalogCoordinator.self) ?? startCatalog()).show(page)
        case .cart:
            child(AccountCoordinator.self)?.stop()
            if let cart = child(CartCoordinator.self) { return cart.showCart() }
            start(CartCoordinator(on: stack, screens: factory))
        case .profile, .signIn, .register, .orders, .order:
            let account = try needed(\.account)
            // The session decides which screen is shown.
            try await attempt { try await account.restore() }
            if let section = child(AccountCoordinator.self) { return try await section.show(page) }
            start(AccountCoordinator(showing: page, on: stack.present(), screens: factory))
        }
    }
}

extension AppCoordinator: CartMessages {
    public func cartAdd(sku: String, quantity: Int) async throws -> CartBadge {
        try await attempt(\.cart) { try await $0.add(sku: sku, quantity: quantity) }
        return status.cart
    }

    public func cartSet(sku: String, quantity: Int) async throws {
        try await attempt(\.cart) { try await $0.set(sku: sku, quantity: quantity) }
    }

    public func cartRemove(sku: String) async throws {
        try await attempt(\.cart) { try await $0.remove(sku: sku) }
    }

    public func cartClear() async throws {
        try await attempt(\.cart) { try await $0.clear() }
    }

    public func cartApplyDiscount(code: String) async throws {
        try await attempt(\.cart) { try await $0.setDiscount(code: code) }
    }

    public func cartRemoveDiscount() async throws {
        try await attempt(\.cart) { try await $0.removeDiscount() }
    }
}

extension AppCoordinator: AssetMessages {
    public func assetData(of image: ProductImage) async throws -> Data {
        return try await attempt(\.assets) { try await $0.data(of: image).value }
    }
}

extension AppCoordinator: AccountMessages {
    public func accountSignIn(email: String, password: String) async throws {
        try await attempt(\.account) { try await $0.signIn(email: email, password: password) }
    }

    public func accountRegister(name: String, email: String, mobileNumber: String?, password: String) async throws {
        try await attempt(\.account) {
            try await $0.signUp(name: name, email: email, mobileNumber: mobileNumber, password: password)
        }
    }

    public func accountSignOut() async throws {
        let account = try needed(\.account)
        do throws(DataError) {
            try await account.signOut()
        } catch {
            // Shown after the screen that signed out has left, on the screen below it.
            untilStopped { [weak self] in self?.notify(Notice(error)) }
        }
    }

    public func accountUpdate(name: String?, mobileNumber: String?) async throws {
        try await attempt(\.account) { try await $0.updateProfile(name: name, mobileNumber: mobileNumber) }
    }

    public func accountChangePassword(from current: String, to new: String) async throws {
        try await attempt(\.account) { try await $0.changePassword(from: current, to: new) }
    }

    public func accountDelete(password: String) async throws {
        try await attempt(\.account) { try await $0.deleteAccount(password: password) }
    }
}

extension Notice {
    fileprivate static let sessionLost = Notice(
        "You were signed out: the session was ended elsewhere, or has expired. Sign in to go on.")
}
