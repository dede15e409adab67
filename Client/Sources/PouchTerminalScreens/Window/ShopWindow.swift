import Foundation
import PouchCoordination
import PouchScreens
import PouchTerminal

/// A shop on a terminal: stacks of screens over each other, of which the uppermost screen is shown and gets the keys.
@MainActor
public final class ShopWindow: TerminalContent {
    public let minimumSize = TerminalSize(columns: 48, rows: 14)

    let environment: ScreenEnvironment
    private let quit: @MainActor () -> Void
    private var surfaces: [TerminalSurface] = []
    private var shown: TerminalScreen?

    /// - Parameters:
    ///   - clock: for what moves by itself.
    ///   - timeZone: in which times are shown.
    ///   - redraw: called when something that is shown has changed.
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

    /// The lowest surface, for the coordinators.
    public var surface: any NavigationSurface { surfaces[0] }

    public func draw(on canvas: inout Canvas) {
        shown?.draw(on: &canvas)
    }

    public func press(_ key: Key) {
        guard let screen = shown, !screen.press(key) else { return }
        guard !TerminalScreen.back.contains(key) else { return goBack(from: screen) }
        switch key {
        case .character("h"): screen.go(to: .home)
        case .character("c"): screen.go(to: .cart)
        case .character("a"): screen.go(to: .profile)
        case .character("o"): screen.go(to: .orders)
        case .character("r"): screen.refresh()
        case .character("q"): leave(from: screen)
        default: break
        }
    }

    func addSurface(over surface: TerminalSurface) -> TerminalSurface {
        let added = TerminalSurface(self)
        let index = surfaces.firstIndex { $0 === surface } ?? surfaces.count - 1
        surfaces.insert(added, at: index + 1)
        return added
    }

    /// With all that lies over it.
    func remove(_ surface: TerminalSurface) {
        guard let index = surfaces.firstIndex(where: { $0 === surface }), index > 0 else { return }
        surfaces.removeSubrange(index...)
        surfaceDidChange()
    }

    /// A surface without screens is not seen yet.
    func surfaceDidChange() {
        let screen = surfaces.last { !$0.screens.isEmpty }?.top
        guard screen !== shown else { return }
        shown?.disappear()
        shown = screen
        screen?.appear()
        environment.redraw()
    }

    private func goBack(from screen: TerminalScreen) {
        guard let top = surfaces.last(where: { !$0.screens.isEmpty }) else { return }
        if !top.goBack(isLowest: top === surfaces[0]) { leave(from: screen) }
    }

    private func leave(from screen: TerminalScreen) {
        screen.ask("Leave the shop?", yes: "leave") { [quit] in quit() }
    }
}
