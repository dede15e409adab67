import Foundation
import PouchCoordination
import PouchScreens
import PouchTerminal

/// A shop on a terminal: stacks of screens above each other. The topmost screen is shown and receives the keys.
///
///     let loop = TerminalLoop(try Terminal())
///     let window = ShopWindow(redraw: { loop.setNeedsDrawing() }, quit: { loop.stop() })
///     let app = AppCoordinator(on: window.surface, screens: TerminalScreenFactory(window))
@MainActor
public final class ShopWindow: TerminalContent {
    public let minimumSize = TerminalSize.smallest

    fileprivate let environment: ScreenEnvironment
    private let quit: @MainActor () -> Void
    private var surfaces: [TerminalSurface] = []
    private var shown: TerminalScreen?

    /// - Parameters:
    ///   - clock: drives animations.
    ///   - timeZone: the time zone of the times on the screens.
    ///   - redraw: called when the window has to be drawn again.
    ///   - quit: called when the user leaves the shop.
    public init(
        clock: any Clock<Duration> = ContinuousClock(), timeZone: TimeZone = .current,
        redraw: @escaping @MainActor () -> Void, quit: @escaping @MainActor () -> Void
    ) {
        environment = ScreenEnvironment(
            animation: Animation(clock: clock, redraw: redraw), clock: clock, timeZone: timeZone)
        self.quit = quit
        surfaces = [TerminalSurface(self)]
    }

    /// The base surface, for the coordinators.
    public var surface: any NavigationSurface { surfaces[0] }

    public func draw(on canvas: inout Canvas) {
        shown?.draw(on: &canvas)
    }

    public func press(_ key: Key) {
        guard let screen = shown, !screen.press(key) else { return }
        guard !key.isBack else { return goBack(from: screen) }
        switch key {
        case .character("h"): screen.go(to: .home)
        case .character("c"): screen.go(to: .cart)
        case .character("a"): screen.go(to: .profile)
        case .character("o"): screen.go(to: .orders)
        case .character("r"): screen.reload()
        case .character("q"): leave(from: screen)
        default: break
        }
    }

    // MARK: - Surfaces

    fileprivate func addSurface(over surface: TerminalSurface) -> TerminalSurface {
        let added = TerminalSurface(self)
        let index = surfaces.firstIndex { $0 === surface } ?? surfaces.count - 1
        surfaces.insert(added, at: index + 1)
        return added
    }

    /// Removes a surface and those above it.
    fileprivate func remove(_ surface: TerminalSurface) {
        guard let index = surfaces.firstIndex(where: { $0 === surface }), index > 0 else { return }
        surfaces.removeSubrange(index...)
        surfaceDidChange()
    }

    /// Shows the topmost screen. A surface without screens is not visible yet.
    fileprivate func surfaceDidChange() {
        let screen = surfaces.last { !$0.screens.isEmpty }?.top
        guard screen !== shown else { return }
        shown?.disappear()
        shown = screen
        screen?.appear()
        environment.redraw()
    }

    private func goBack(from screen: TerminalScreen) {
        guard let top = surfaces.last(where: { !$0.screens.isEmpty }) else { return }
        if !top.goBack(isBase: top === surfaces[0]) { leave(from: screen) }
    }

    private func leave(from screen: TerminalScreen) {
        screen.ask("Leave the shop?", yes: "leave", no: "stay") { [quit] in quit() }
    }
}

/// The stack of screens of one coordinator in a window.
@MainActor
private final class TerminalSurface: NavigationSurface {
    var userDidGoBack: (@MainActor (_ remaining: [any Screen]) -> Void)?
    private(set) var screens: [any Screen] = []
    private weak var window: ShopWindow?

    init(_ window: ShopWindow) {
        self.window = window
    }

    var top: TerminalScreen? { screens.last as? TerminalScreen }

    func show(_ screens: [any Screen]) {
        self.screens = screens
        window?.surfaceDidChange()
    }

    func present() -> any NavigationSurface { window?.addSurface(over: self) ?? self }

    func dismiss() { window?.remove(self) }

    /// Goes back from the topmost screen, and reports it to the coordinator.
    ///
    /// - Parameter isBase: whether this is the base surface, whose last screen remains.
    /// - Returns: false if there was no screen to go back to.
    func goBack(isBase: Bool) -> Bool {
        guard screens.count > 1 || !isBase else { return false }
        screens = screens.count > 1 ? screens.dropLast() : []
        if screens.isEmpty { dismiss() } else { window?.surfaceDidChange() }
        userDidGoBack?(screens)
        return true
    }
}

// MARK: - Creating screens

/// Creates the screens that a window shows.
public struct TerminalScreenFactory: ScreenFactory {
    private let environment: ScreenEnvironment

    public init(_ window: ShopWindow) {
        environment = window.environment
    }

    public func makeHomeScreen() -> any HomeScreen { TerminalHomeScreen(environment) }
    public func makeListingScreen() -> any ListingScreen { TerminalListingScreen(environment) }
    public func makeProductScreen() -> any ProductScreen { TerminalProductScreen(environment) }
    public func makeCartScreen() -> any CartScreen { TerminalCartScreen(environment) }
    public func makeShippingScreen() -> any ShippingScreen { TerminalShippingScreen(environment) }
    public func makePaymentScreen() -> any PaymentScreen { TerminalPaymentScreen(environment) }
    public func makeConfirmationScreen() -> any ConfirmationScreen { TerminalConfirmationScreen(environment) }
    public func makeStatusScreen() -> any StatusScreen { TerminalStatusScreen(environment) }
    public func makeSignInScreen() -> any SignInScreen { TerminalSignInScreen(environment) }
    public func makeRegisterScreen() -> any RegisterScreen { TerminalRegisterScreen(environment) }
    public func makeProfileScreen() -> any ProfileScreen { TerminalProfileScreen(environment) }
    public func makeOrdersScreen() -> any OrdersScreen { TerminalOrdersScreen(environment) }
    public func makeOrderScreen() -> any OrderScreen { TerminalOrderScreen(environment) }
}

/// The window's services for its screens.
@MainActor
struct ScreenEnvironment {
    let animation: Animation
    let clock: any Clock<Duration>
    let timeZone: TimeZone

    func redraw() { animation.redraw() }
}
