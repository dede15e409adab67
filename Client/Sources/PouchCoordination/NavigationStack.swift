/// The screens on a surface, one over the other, each with the coordinator that shows it.
///
/// Several coordinators may share a stack, with their screens in any order. However a screen leaves (another
/// coordinator or the user pops it, alone or with others, or its surface is dismissed), its coordinator is notified
/// once.
@MainActor
public final class NavigationStack {
    private struct Entry {
        let screen: any Screen
        weak var owner: (any ScreenOwner)?
    }

    private var entries: [Entry] = []
    /// The screens that the surface shows. It is called for changes only.
    private var shown: [any Screen] = []
    /// Screens that left, whose coordinators have not been notified yet.
    private var left: [Entry] = []
    private var updates = 0

    /// nil for a stack over others that has no screen.
    private var surface: (any NavigationSurface)?
    /// The lowest stack; nil for itself.
    private weak var base: NavigationStack?
    private weak var lower: NavigationStack?
    private var upper: NavigationStack?
    /// In the lowest stack, the owner of the screen that is on top of all.
    private weak var active: (any ScreenOwner)?

    /// The lowest stack of a surface.
    public init(on surface: any NavigationSurface) {
        attach(surface)
    }

    private init(over base: NavigationStack) {
        self.base = base
    }

    /// The screens, from the lowest to the highest.
    public var screens: [any Screen] { entries.map(\.screen) }

    /// The screen that is on top of all, on this stack or on one over it.
    public var topScreen: (any Screen)? { lowest.top.entries.last?.screen }

    /// Creates a stack over this one and all stacks over it. It is visible from its first screen to its last.
    public func present() -> NavigationStack {
        NavigationStack(over: lowest)
    }

    /// Combines several changes into one for the surface and the coordinators.
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

    /// Removes all screens over this one, here and on the stacks above. Ignored for a screen of another stack.
    func pop(to screen: any Screen, by owner: any ScreenOwner) {
        guard let index = entries.lastIndex(where: { $0.screen === screen }) else { return }
        update {
            remove(entries[(index + 1)...].map(\.screen), by: owner)
            upper?.removeAll(by: owner)
        }
    }

    /// - Parameter owner: the coordinator that removes the screens, which is not notified.
    func remove(_ screens: [any Screen], by owner: (any ScreenOwner)? = nil) {
        update {
            let leaving = entries.filter { entry in screens.contains { $0 === entry.screen } }
            guard !leaving.isEmpty else { return }
            entries.removeAll { entry in leaving.contains { $0.screen === entry.screen } }
            left += leaving.reversed().filter { owner == nil || $0.owner !== owner }
        }
    }

    /// The owner has stopped. If it comes back to the top, it is notified again.
    func release(_ owner: any ScreenOwner) {
        guard lowest.active === owner else { return }
        lowest.active = nil
        owner.didLoseTop()
    }

    // MARK: Changes

    /// Shows the changes and notifies the owners, until no owner makes another change.
    private func settle() {
        repeat {
            showEntries()
            notifyOfLeft()
            // While the lowest stack is in an update, it notifies by itself.
            if base == nil || lowest.updates == 0 { lowest.notifyActive() }
        } while !isShown || !left.isEmpty
    }

    private var isShown: Bool {
        entries.count == shown.count && zip(entries, shown).allSatisfy { $0.screen === $1 }
    }

    private func showEntries() {
        guard !isShown else { return }
        shown = screens
        guard shown.isEmpty else {
            if surface == nil { cover() }
            surface?.show(shown)
            return
        }
        guard base != nil else { return }
        upper?.removeAll()
        surface?.dismiss()
        detachSurface()
    }

    private func notifyOfLeft() {
        while let first = left.first {
            let same = left.filter { $0.owner === first.owner }
            left.removeAll { $0.owner === first.owner }
            first.owner?.screensDidLeave(same.map(\.screen))
        }
    }

    private func userDidGoBack(_ remaining: [any Screen]) {
        update {
            shown = remaining
            if remaining.isEmpty, base != nil {
                upper?.userDidGoBack([])
                detachSurface()
            }
            remove(screens.filter { screen in !remaining.contains { $0 === screen } })
        }
    }

    private func removeAll(by owner: (any ScreenOwner)? = nil) {
        remove(screens, by: owner)
    }

    // MARK: Stacks over others

    private var lowest: NavigationStack { base ?? self }

    private var top: NavigationStack { upper?.top ?? self }

    private func attach(_ surface: any NavigationSurface) {
        self.surface = surface
        surface.userDidGoBack = { [weak self] remaining in self?.userDidGoBack(remaining) }
    }

    private func cover() {
        let top = lowest.top
        guard top !== self, let below = top.surface else { return }
        top.upper = self
        lower = top
        attach(below.present())
    }

    private func detachSurface() {
        surface?.userDidGoBack = nil
        surface = nil
        lower?.upper = nil
        lower = nil
    }

    // MARK: The active owner

    private func notifyActive() {
        while let change = activeChange() {
            change.before?.didLoseTop()
            // The owner that lost the top may have changed it.
            if change.after === active { change.after?.didGetTop() }
        }
    }

    private func activeChange() -> (before: (any ScreenOwner)?, after: (any ScreenOwner)?)? {
        let (before, after) = (active, top.entries.last?.owner)
        guard before !== after else { return nil }
        active = after
        return (before, after)
    }
}

/// A coordinator, as its stack sees it.
protocol ScreenOwner: Responder {
    /// Screens of the owner left without its doing, the highest first.
    func screensDidLeave(_ screens: [any Screen])
    func didGetTop()
    func didLoseTop()
}
