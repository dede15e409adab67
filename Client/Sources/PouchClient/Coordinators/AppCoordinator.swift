import PouchCoordination
import PouchData
import PouchEntities
import PouchManagers
import PouchScreens

/// The root of a shop's coordinators: knows the way to each section, and does what any screen may ask for.
///
/// An app makes one, gives it the dependency, now or as soon as it is there, and starts it.
@MainActor
public final class AppCoordinator: ShopCoordinator {
    /// What runs for as long as the managers stay the same.
    private var work: [Task<Void, Never>] = []
    /// Whose cart and purchases `visit` is about.
    private var visitor: String?
    /// What runs for as long as the visitor stays the same.
    private var visit: Task<Void, Never>?
    /// The session of whoever is signed in with an account.
    private var customerSession: String?
    /// The session that somebody ended here.
    private var signedOut: String?

    /// - Parameters:
    ///   - surface: where the shop is shown.
    ///   - screens: makes its screens.
    public init(on surface: any NavigationSurface, screens factory: any ScreenFactory) {
        super.init(on: NavigationStack(on: surface), screens: factory)
    }

    public override func didStart() {
        start(CatalogCoordinator(on: stack, screens: factory))
    }

    deinit {
        for task in work { task.cancel() }
        visit?.cancel()
    }

    public override func didStop() {
        endWork()
    }

    /// The sections go on without it.
    public override func didPopAll() {}

    override func go(to page: ShopPage) async throws {
        try await show(page)
    }

    // MARK: Sessions

    override func managersDidChange() {
        endWork()
        customerSession = nil
        visitor = nil
        guard let account = dependency?.account else { return }
        let sessions = account.sessions()
        run { [weak self] in
            for await session in sessions { self?.take(session) }
        }
        let cart = dependency?.cart
        run { [weak self] in
            do throws(DataError) {
                try await account.restore()
                // Also of a visitor without a session, who isn't given one for it.
                try await cart?.restore()
            } catch {
                if error.reason == .sessionStorage { self?.tell(Notice(error)) }
            }
        }
        keepCatalog()
    }

    private func run(_ work: @escaping @MainActor () async -> Void) {
        self.work.append(Task { await work() })
    }

    private func endWork() {
        for task in work { task.cancel() }
        work = []
        visit?.cancel()
    }

    private func take(_ session: UserSession?) {
        beginVisit(of: session)
        let ended = customerSession
        customerSession = session.flatMap { $0.kind == .guest ? nil : $0.id }
        guard let ended, customerSession == nil, ended != signedOut else { return }
        tell(Notice(DataError(.sessionEnded)))
    }

    /// Brings to an end what whoever has come was buying when they were here last, and shows what is in their cart.
    private func beginVisit(of session: UserSession?) {
        guard session?.owner != visitor else { return }
        visitor = session?.owner
        visit?.cancel()
        // Whoever has gone since is not made a guest for this.
        guard let visitor, dependency?.account?.session?.owner == visitor, let cart = dependency?.cart,
            let checkout = dependency?.checkout,
            let connection = dependency?.connection
        else { return }
        visit = Task { [weak self] in
            async let badge = try? cart.refresh()
            await checkout.settlePurchases(over: connection) { [weak self] in self?.tell($0) }
            _ = await badge
        }
    }

    // MARK: Beside what is shown

    private func keepCatalog() {
        guard let dependency, dependency.keepsCatalog, let catalog = dependency.catalog else { return }
        let clock = dependency.clock
        run {
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
            try await child(CatalogCoordinator.self)?.show(page)
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
        signedOut = account.session?.id
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
        signedOut = account.session?.id
        do {
            try await attempt { () throws(DataError) in try await account.deleteAccount(password: password) }
        } catch {
            signedOut = nil
            throw error
        }
    }
}
