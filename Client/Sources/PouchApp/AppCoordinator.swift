import Foundation
import PouchClient
import PouchCoordination
import PouchScreens

/// The root of a shop's coordinators: knows the way to each section, and does what any screen may ask for.
///
/// An app makes one, gives it the dependency, now or as soon as it is there, and starts it.
@MainActor
public final class AppCoordinator: ShopCoordinator {
    /// - Parameters:
    ///   - surface: where the shop is shown.
    ///   - factory: makes its screens.
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

    /// Shows a page from outside, as for a link by which the app was started. It waits for what the page needs, as messages
    /// do, which `show` alone does not.
    ///
    /// - Throws: as `send` does.
    public func open(_ page: ShopPage) async throws {
        try await receive(as: (any NavigationMessages).self) { try await $0.show(page) }
    }

    /// The sections go on without it.
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
            // Not by the visitor's own coordinator, which goes with the session.
            for await _ in account.lostSessions() { self?.tell(.sessionLost) }
        }
        untilDependencyChanges { [weak self] in
            do throws(DataError) {
                try await account.restore()
                // Also of a visitor without a session, who isn't given one for it.
                try await cart?.restore()
            } catch {
                if error.reason == .sessionStorage { self?.tell(Notice(error)) }
            }
            var owner: String?
            var visit: Task<Void, Never>?
            defer { visit?.cancel() }
            var isKept = true
            for await session in account.sessions() {
                if session?.owner != owner {
                    owner = session?.owner
                    visit?.cancel()
                    visit = nil
                    // A guest who comes later has just begun.
                    let isNew = session?.kind == .guest && !isKept
                    if let session, !isNew { visit = self?.beginVisit(of: session.owner) }
                    self?.notify(session, isNew: isNew)
                }
                isKept = false
            }
        }
        keepCatalog()
    }

    /// Whoever is here now is told what happens meanwhile, and whoever was here before no more.
    private func notify(_ session: UserSession?, isNew: Bool) {
        child(NotificationCoordinator.self)?.stop()
        guard let session else { return }
        start(NotificationCoordinator(for: session.kind, isNew: isNew, on: stack, screens: factory))
    }

    /// Brings to an end what whoever has come was buying when they were here last, and shows what is in their cart.
    private func beginVisit(of owner: String) -> Task<Void, Never>? {
        guard dependency?.account?.session?.owner == owner, let cart = dependency?.cart,
            let checkout = dependency?.checkout, let connection = dependency?.connection
        else { return nil }
        return Task { [weak self] in
            // Whoever has gone since is not made a guest for this.
            async let badge = try? cart.refresh(startsSession: false)
            await checkout.settlePurchases(over: connection) { [weak self] in self?.tell($0) }
            _ = await badge
        }
    }

    // MARK: Beside what is shown

    private func keepCatalog() {
        guard let dependency, dependency.keepsCatalog, let catalog = dependency.catalog else { return }
        let clock = dependency.clock
        untilDependencyChanges {
            // Costs nothing while what is here is fresh.
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
            // Who is signed in decides what is shown.
            try await attempt { () throws(DataError) in try await account.restore() }
            if let section = child(AccountCoordinator.self) { return try await section.show(page) }
            start(AccountCoordinator(showing: page, on: stack.present(), screens: factory))
        }
    }
}

extension AppCoordinator: CartMessages {
    public func cartAdd(sku: String, quantity: Int) async throws -> CartBadge {
        let cart = try needed(\.cart)
        try await attempt { () throws(DataError) in try await cart.add(sku: sku, quantity: quantity) }
        return CartBadge(cart.state)
    }

    public func cartSet(sku: String, quantity: Int) async throws {
        let cart = try needed(\.cart)
        try await attempt { () throws(DataError) in try await cart.set(sku: sku, quantity: quantity) }
    }

    public func cartRemove(sku: String) async throws {
        let cart = try needed(\.cart)
        try await attempt { () throws(DataError) in try await cart.remove(sku: sku) }
    }

    public func cartClear() async throws {
        let cart = try needed(\.cart)
        try await attempt { () throws(DataError) in try await cart.clear() }
    }

    public func cartApplyDiscount(code: String) async throws {
        let cart = try needed(\.cart)
        try await attempt { () throws(DataError) in try await cart.setDiscount(code: code) }
    }

    public func cartRemoveDiscount() async throws {
        let cart = try needed(\.cart)
        try await attempt { () throws(DataError) in try await cart.removeDiscount() }
    }
}

extension AppCoordinator: AssetMessages {
    public func assetData(of image: ProductImage) async throws -> Data {
        let assets = try needed(\.assets)
        return try await attempt { () throws(DataError) in try await assets.data(of: image).value }
    }
}

extension AppCoordinator: AccountMessages {
    public func accountSignIn(email: String, password: String) async throws {
        let account = try needed(\.account)
        try await attempt { () throws(DataError) in try await account.signIn(email: email, password: password) }
    }

    public func accountRegister(name: String, email: String, mobileNumber: String?, password: String) async throws {
        let account = try needed(\.account)
        try await attempt { () throws(DataError) in
            try await account.signUp(name: name, email: email, mobileNumber: mobileNumber, password: password)
        }
    }

    public func accountSignOut() async throws {
        let account = try needed(\.account)
        do throws(DataError) {
            try await account.signOut()
        } catch {
            // The screen that asked goes, now that nobody is signed in; the one below it is there after that.
            untilStopped { [weak self] in self?.tell(Notice(error)) }
        }
    }

    public func accountUpdate(name: String?, mobileNumber: String?) async throws {
        let account = try needed(\.account)
        try await attempt { () throws(DataError) in
            try await account.updateProfile(name: name, mobileNumber: mobileNumber)
        }
    }

    public func accountChangePassword(from current: String, to new: String) async throws {
        let account = try needed(\.account)
        try await attempt { () throws(DataError) in try await account.changePassword(from: current, to: new) }
    }

    public func accountDelete(password: String) async throws {
        let account = try needed(\.account)
        try await attempt { () throws(DataError) in try await account.deleteAccount(password: password) }
    }
}

extension Notice {
    fileprivate static let sessionLost = Notice(
        "You were signed out: the session was ended elsewhere, or has expired. Sign in to go on.")
}
