/// The screens that lie one over the other on a surface, each with the coordinator that shows it.
///
/// Several coordinators may share a stack, their screens in any order. Whichever way a screen goes (popped by another
/// coordinator or by hand, several at once, with their surface), its coordinator hears of it once.
@MainActor
public final class NavigationStack {
    private struct Entry {
        let screen: any Screen
        weak var owner: (any ScreenOwner)?
    }

    private var entries: [Entry] = []
    /// What the surface shows, so that it is told of changes only.
    private var shown: [any Screen] = []
    /// Of what has gone, what is still to be told.
    private var gone: [Entry] = []
    private var updates = 0

    /// nil while a stack over others has no screen.
    private var surface: (any NavigationSurface)?
    /// The lowest stack, for one that lies over others.
    private weak var base: NavigationStack?
    private weak var lower: NavigationStack?
    private var upper: NavigationStack?
    /// Of the lowest stack: who has the screen that is on top of all.
    private weak var active: (any ScreenOwner)?

    /// The lowest stack of a surface.
    public init(on surface: any NavigationSurface) {
        take(surface)
    }

    private init(over base: NavigationStack) {
        self.base = base
    }

    /// From the lowest to the one on top.
    public var screens: [any Screen] { entries.map(\.screen) }

    /// The screen that is on top of all, here or on a stack that lies over this one.
    public var topScreen: (any Screen)? { lowest.top.entries.last?.screen }

    /// A stack that will lie over this one, and over what lies there already, from its first screen to its last.
    public func present() -> NavigationStack {
        NavigationStack(over: lowest)
    }

    /// Makes several changes into one, for the surface and for the coordinators.
    public func update(_ changes: () -> Void) {
        updates += 1
        changes()
        if updates == 1 { settle() }
        updates -= 1
    }

    // MARK: For coordinators

    func screens(of owner: any ScreenOwner) -> [any Screen] {
        entries.filter { $0.owner === owner }.map(\.screen)
    }

    func push(_ screen: any Screen, by owner: any ScreenOwner) {
        update {
            remove([screen], by: owner)
            screen.coordinatingResponder = owner
            entries.append(Entry(screen: screen, owner: owner))
        }
    }

    /// Takes away what is over the screen, here and on other stacks; nothing where it isn't here.
    func pop(to screen: any Screen, by owner: any ScreenOwner) {
        guard let index = entries.lastIndex(where: { $0.screen === screen }) else { return }
        update {
            remove(entries[(index + 1)...].map(\.screen), by: owner)
            upper?.removeAll(by: owner)
        }
    }

    /// - Parameter owner: who does it, and so isn't told.
    func remove(_ screens: [any Screen], by owner: (any ScreenOwner)? = nil) {
        update {
            let leaving = entries.filter { entry in screens.contains { $0 === entry.screen } }
            guard !leaving.isEmpty else { return }
            entries.removeAll { entry in leaving.contains { $0.screen === entry.screen } }
            gone += leaving.reversed().filter { owner == nil || $0.owner !== owner }
        }
    }

    /// The owner has stopped; should it come back to the top, it hears of it anew.
    func release(_ owner: any ScreenOwner) {
        guard lowest.active === owner else { return }
        lowest.active = nil
        owner.didLoseTop()
    }

    // MARK: Changes

    /// Shows what has changed, then tells it, until nobody who was told has changed more.
    private func settle() {
        repeat {
            showEntries()
            tellGone()
            // While the lowest changes, it tells by itself what came of it.
            if base == nil || lowest.updates == 0 { lowest.tellActive() }
        } while !isShown || !gone.isEmpty
    }

    private var isShown: Bool {
        entries.count == shown.count && zip(entries, shown).allSatisfy { $0.screen === $1 }
    }

    private func showEntries() {
        guard !isShown else { return }
        shown = screens
        guard shown.isEmpty else {
            if surface == nil { layOver() }
            surface?.show(shown)
            return
        }
        guard base != nil else { return }
        upper?.removeAll()
        surface?.dismiss()
        leaveSurface()
    }

    private func tellGone() {
        while let first = gone.first {
            let same = gone.filter { $0.owner === first.owner }
            gone.removeAll { $0.owner === first.owner }
            first.owner?.screensDidGo(same.map(\.screen))
        }
    }

    private func userDidGoBack(_ remaining: [any Screen]) {
        update {
            shown = remaining
            if remaining.isEmpty, base != nil {
                upper?.userDidGoBack([])
                leaveSurface()
            }
            remove(screens.filter { screen in !remaining.contains { $0 === screen } })
        }
    }

    private func removeAll(by owner: (any ScreenOwner)? = nil) {
        remove(screens, by: owner)
    }

    // MARK: One over the other

    private var lowest: NavigationStack { base ?? self }

    private var top: NavigationStack { upper?.top ?? self }

    private func take(_ surface: any NavigationSurface) {
        self.surface = surface
        surface.userDidGoBack = { [weak self] remaining in self?.userDidGoBack(remaining) }
    }

    private func layOver() {
        let top = lowest.top
        guard top !== self, let below = top.surface else { return }
        top.upper = self
        lower = top
        take(below.present())
    }

    private func leaveSurface() {
        surface?.userDidGoBack = nil
        surface = nil
        lower?.upper = nil
        lower = nil
    }

    // MARK: Who is active

    private func tellActive() {
        while let change = changeOfActive() {
            change.before?.didLoseTop()
            // Whoever has lost it may have changed what is on top.
            if change.after === active { change.after?.didGetTop() }
        }
    }

    private func changeOfActive() -> (before: (any ScreenOwner)?, after: (any ScreenOwner)?)? {
        let (before, after) = (active, top.entries.last?.owner)
        guard before !== after else { return nil }
        active = after
        return (before, after)
    }
}

/// A coordinator as its stack sees it.
@MainActor
protocol ScreenOwner: Responder {
    /// These screens of it have gone by somebody else's doing, the highest first.
    func screensDidGo(_ screens: [any Screen])
    func didGetTop()
    func didLoseTop()
}
