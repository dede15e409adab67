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
///
/// An app may start it below a coordinator of its own, replace its sections, and override individual messages.
open class AppCoordinator: ShopCoordinator {
    private let appSections: ShopSections
    private weak var catalog: ShopSections.Section?
    private weak var cart: ShopSections.Section?
    private weak var account: ShopSections.Section?
    private weak var notifications: Coordinator<AppDependency>?
    /// The stack that the user left to sign in. Revealed afterwards if the account has a tab or column of its own.
    private weak var stackBeforeSignIn: ScreenStack?
    var restoration: Restoration?

    public init(
        on stack: ScreenStack, screens factory: any ScreenFactory, sections: ShopSections = ShopSections()
    ) {
        appSections = sections
        super.init(on: stack, screens: factory)
        stack.whenEmpty { [weak self] in self?.startSection(on: $0) }
    }

    public convenience init(
        on surface: any NavigationSurface, screens factory: any ScreenFactory, sections: ShopSections = ShopSections()
    ) {
        self.init(on: ScreenStack(on: surface), screens: factory, sections: sections)
    }

    open override func didStart() {
        start(appSections.catalog(stack, factory), as: \.catalog)
        for stack in stack.emptyStacks { startSection(on: stack) }
    }

    /// Continues without screens of its own.
    open override func didPopAll() {}

    open override func coordinatorDidFinish(_ child: Coordinator<AppDependency>) {
        stack.update {
            super.coordinatorDidFinish(child)
            // Below another coordinator, the shop ends with its last screen.
            if coordinatingResponder != nil, !hasScreens { finish() }
        }
    }

    // MARK: Pages

    /// Shows a page on a request from outside, such as a link that opened the app. Unlike `show`, it waits for the
    /// managers that the page needs.
    ///
    /// - Throws: as `send` does.
    public final func open(_ page: ShopPage) async throws {
        try await receive(page)
    }

    /// Goes to a page. Dismisses flows that are presented over the page's section. Account pages are presented over
    /// everything else.
    ///
    /// - Throws: `.notOffered` if the app or the page's section lacks it.
    open override func show(_ page: ShopPage) async throws -> Bool {
        stackBeforeSignIn = nil
        switch page {
        case .home, .listing, .product:
            try await show(page, in: \.catalog, startingWith: appSections.catalog(stack, factory))
        case .cart:
            try await show(page, in: \.cart, startingWith: appSections.cart(stack, factory))
        case .profile, .signIn, .register, .orders, .order:
            let manager = try needed(\.account)
            // The session decides which screen is shown.
            try await attempt { try await manager.restore() }
            let before = (stack.topScreen?.coordinatingResponder as? NavigationCoordinator<AppDependency>)?.stack
            try await show(
                page, in: \.account, startingWith: appSections.account(page, stack.present(), factory))
            let signsIn = page == .signIn || page == .register
            stackBeforeSignIn = signsIn && before !== account?.stack ? before : nil
        case .app:
            throw ScreenFailure.notOffered
        }
        return true
    }

    /// Shows a page in its section, which is started if it is not running.
    private func show(
        _ page: ShopPage, in path: SectionPath, startingWith make: @autoclosure () -> ShopSections.Section
    ) async throws {
        let isRunning = running(path) != nil
        // The catalogue starts with home; the others with the page, or not at all.
        if !isRunning, !start(make(), as: path), path != \.catalog { throw ScreenFailure.notOffered }
        guard let section = running(path) else { return }
        if isRunning || path == \.catalog, try await !section.show(page) {
            guard page == .cart else { throw ScreenFailure.notOffered }
            section.popToOwn()
        }
        section.reveal()
    }

    // MARK: Sections

    private typealias SectionPath = ReferenceWritableKeyPath<AppCoordinator, ShopSections.Section?>

    /// Called when the user sees a stack without screens: when a tab is selected for the first time, when the last flow
    /// of a tab has ended, and at the start for each visible column. Starts the section that has this stack. An app
    /// with sections of its own on other stacks overrides it and calls super for those of the shop.
    open func startSection(on stack: ScreenStack) {
        guard isStarted else { return }
        for (path, make) in [(\.catalog, appSections.catalog), (\.cart, appSections.cart)] as [(SectionPath, _)]
        where running(path) == nil && stack.screens.isEmpty {
            let section = make(self.stack, factory)
            if section.stack === stack { start(section, as: path) }
        }
        startAccount(on: stack)
    }

    /// Starts the account if the stack belongs to it. The session, which must be known first, decides which screen is
    /// shown.
    private func startAccount(on stack: ScreenStack) {
        guard let manager = dependency?.account, running(\.account) == nil, stack.screens.isEmpty else { return }
        let section = appSections.account(.profile, self.stack.present(), factory)
        guard section.stack === stack else { return }
        untilDependencyChanges { [weak self] in
            _ = try? await manager.restore()
            // The user may have selected another tab since.
            guard let self, running(\.account) == nil, stack.emptyStacks.contains(where: { $0 === stack }) else {
                return
            }
            start(section, as: \.account)
        }
    }

    /// - Returns: whether the section shows a screen. One without screens is stopped, except the catalogue, which shows
    ///   its pages later.
    @discardableResult
    private func start(_ section: ShopSections.Section, as path: SectionPath) -> Bool {
        start(section)
        self[keyPath: path] = section
        guard section.screens.isEmpty else { return true }
        if path != \.catalog { section.stop() }
        return false
    }

    /// The section, unless it has ended.
    private func running(_ path: SectionPath) -> ShopSections.Section? {
        self[keyPath: path].flatMap { $0.isStarted ? $0 : nil }
    }

    // MARK: Notifications

    /// The responder that receives push notifications first: the section of notifications, or the root without a
    /// session.
    final var pushReceiver: any Responder {
        if let notifications, notifications.isStarted { notifications } else { self }
    }

    /// Shows, as a notice, a push notification that arrives while the app is open.
    open func show(_ push: PushMessage) async throws {
        notify(Notice(push))
    }

    // MARK: Sessions

    open override func managersDidChange() {
        notifications?.stop()
        guard let account = dependency?.account else { return }
        for stack in stack.emptyStacks { startAccount(on: stack) }
        let cart = dependency?.cart
        untilDependencyChanges { [weak self] in
            // The notification coordinator cannot do this: it stops with the session.
            for await _ in account.lostSessions() { self?.notify(.sessionLost) }
        }
        untilDependencyChanges { [weak self] in
            for await error in account.unreadableSessions() { self?.notify(Notice(error)) }
        }
        untilDependencyChanges { [weak self] in
            _ = try? await account.restore()
            // Signed-out edits are restored too, and start no guest session.
            _ = try? await cart?.restore()
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
        if let catalog = dependency?.catalog, dependency?.keepsCatalog == true {
            untilDependencyChanges { await catalog.keepImported() }
        }
    }

    private func restartNotifications(for session: UserSession?, isNew: Bool) {
        notifications?.stop()
        guard let session else { return }
        let section = appSections.notifications(.init(kind: session.kind, isNew: isNew), stack, factory)
        start(section)
        notifications = section
    }

    /// Settles unfinished purchases and loads the cart.
    private func resumeVisit(of owner: String) -> Task<Void, Never>? {
        guard dependency?.account?.session?.owner == owner, let cart = dependency?.cart,
            let checkout = dependency?.checkout, let connection = dependency?.connection
        else { return nil }
        return Task { [weak self] in
            // Does not start a guest session only to refresh, if the session has ended before.
            async let refreshed = try? cart.refresh(startsSession: false)
            for await settlement in checkout.settlements(over: connection) { self?.notify(Notice(settlement)) }
            _ = await refreshed
        }
    }

    // MARK: Messages

    open override func registerHandlers() {
        super.registerHandlers()
        handle(PushMessage.self) { try await $0.show($1) }
        handle(StartPayment.self) { try await $0.startPayment($1) }
        handle(LoadImage.self) { try await $0.loadImage($1) }
        handle(EditCart.self) { try await $0.editCart($1) }
        handle(ApplyDiscount.self) { try await $0.applyDiscount($1) }
        handle(RemoveDiscount.self) { try await $0.removeDiscount($1) }
        handle(SignIn.self) { try await $0.signIn($1) }
        handle(Register.self) { try await $0.register($1) }
        handle(SignOut.self) { try await $0.signOut($1) }
        handle(UpdateProfile.self) { try await $0.updateProfile($1) }
        handle(ChangePassword.self) { try await $0.changePassword($1) }
        handle(DeleteAccount.self) { try await $0.deleteAccount($1) }
    }

    open func startPayment(_ message: StartPayment) async throws {
        let coordinator = message.coordinator
        try coordinator.start(payment: appSections.payment(message.subject, coordinator.stack, coordinator.factory))
    }

    open func loadImage(_ message: LoadImage) async throws -> Data {
        try await attempt(\.assets) { try await $0.data(of: message.image).value }
    }

    open func editCart(_ message: EditCart) async throws -> CartBadge {
        try await attempt(\.cart) { cart async throws -> Cart in
            switch message {
            case .add(let sku, let quantity): try await cart.add(sku: sku, quantity: quantity)
            case .set(let sku, let quantity): try await cart.set(sku: sku, quantity: quantity)
            case .remove(let sku): try await cart.remove(sku: sku)
            case .clear: try await cart.clear()
            }
        }
        return status.cart
    }

    open func applyDiscount(_ message: ApplyDiscount) async throws {
        try await attempt(\.cart) { try await $0.setDiscount(code: message.code) }
    }

    open func removeDiscount(_ message: RemoveDiscount) async throws {
        try await attempt(\.cart) { try await $0.removeDiscount() }
    }

    // MARK: Account

    open func signIn(_ message: SignIn) async throws {
        try await attempt(\.account) {
            try await $0.signIn(email: message.email, password: message.password, code: message.code)
        }
        returnFromSignIn()
    }

    open func register(_ message: Register) async throws {
        try await attempt(\.account) {
            try await $0.signUp(
                name: message.name, email: message.email, mobileNumber: message.mobileNumber,
                password: message.password)
        }
        returnFromSignIn()
    }

    private func returnFromSignIn() {
        guard let before = stackBeforeSignIn else { return }
        stackBeforeSignIn = nil
        if !before.screens.isEmpty, account?.stack.isPresented == false { before.reveal() }
    }

    open func signOut(_ message: SignOut) async throws {
        let account = try needed(\.account)
        do throws(DataError) {
            try await account.signOut()
        } catch {
            // Shown after the screen that signed out has left, on the screen below it.
            untilStopped { [weak self] in self?.notify(Notice(error)) }
        }
    }

    open func updateProfile(_ message: UpdateProfile) async throws {
        try await attempt(\.account) {
            try await $0.updateProfile(name: message.name, mobileNumber: message.mobileNumber)
        }
    }

    open func changePassword(_ message: ChangePassword) async throws {
        try await attempt(\.account) { try await $0.changePassword(from: message.current, to: message.new) }
    }

    open func deleteAccount(_ message: DeleteAccount) async throws {
        try await attempt(\.account) { try await $0.deleteAccount(password: message.password) }
    }
}

extension Notice {
    fileprivate static let sessionLost = Notice(
        "You were signed out: the session was ended elsewhere, or has expired. Sign in to continue.")
}
