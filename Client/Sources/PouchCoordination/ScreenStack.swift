/// The screens on a surface, one over the other, each with the coordinator that shows it.
///
/// Several coordinators may share a stack, with their screens in any order. However a screen is removed (another
/// coordinator or the user pops it, alone or with others, or its surface is dismissed), its coordinator is notified
/// once.
@MainActor
public final class ScreenStack {
    private struct Entry {
        let screen: any Screen
        weak var owner: (any ScreenOwner)?
    }

    private struct Removal {
        let screen: any Screen
        /// Retained until it is notified, because it may have stopped.
        let owner: (any ScreenOwner)?
        /// Whether the owner removed the screen itself.
        let isOwn: Bool
    }

    private var entries: [Entry] = []
    /// The screens last passed to the surface.
    private var shown: [any Screen] = []
    /// Screens that were removed, and whose coordinators have not been notified yet.
    private var removals: [Removal] = []
    private var updates = 0

    /// nil for a presented stack without a screen.
    private(set) var surface: (any NavigationSurface)?
    /// nil for a presented stack after the base stacks were deallocated.
    private weak var hierarchy: StackHierarchy?
    /// Retains the hierarchy in a base stack; nil in a presented one, which the hierarchy retains.
    private let held: StackHierarchy?

    /// Creates the base stack of a surface.
    public convenience init(on surface: any NavigationSurface) {
        self.init(on: surface, of: StackHierarchy())
    }

    /// Creates one of the base stacks of the hierarchy.
    init(on surface: any NavigationSurface, of hierarchy: StackHierarchy) {
        (self.hierarchy, held) = (hierarchy, hierarchy)
        hierarchy.add(self)
        attach(surface)
    }

    private init(over hierarchy: StackHierarchy?) {
        (self.hierarchy, held) = (hierarchy, nil)
    }

    /// The screens, from bottom to top.
    public var screens: [any Screen] { entries.map(\.screen) }

    /// The frontmost screen of this stack, of one presented over it or, while this stack is hidden, of one next to it.
    public var topScreen: (any Screen)? {
        let visible = hierarchy?.visible ?? [self]
        return (visible.first { $0 === self } ?? visible.last)?.screens.last
    }

    /// The screens of this stack, of those next to it and of those presented over them, from bottom to top. Those of
    /// hidden tabs or columns come first.
    public var allScreens: [any Screen] { (hierarchy?.all ?? [self]).flatMap(\.screens) }

    /// Whether the stack was created by `present`.
    public var isPresented: Bool { held == nil }

    /// Creates a stack over this one and all stacks over it. It is visible from its first screen to its last.
    public func present() -> ScreenStack {
        ScreenStack(over: hierarchy)
    }

    /// Removes the stacks over this one, whose coordinators are notified as for back navigation, and selects its tab or
    /// column.
    public func reveal() {
        update {
            over?.removeAll()
            hierarchy?.choose(self)
        }
    }

    /// The visible stacks of this group that have no screens.
    public var emptyStacks: [ScreenStack] { hierarchy?.empty ?? [] }

    /// Sets the handler that is called when an empty stack of this group becomes visible: when its tab is selected, or
    /// after a coordinator removed its last screen. It may show a screen there. Going back from the root screen does
    /// not trigger it. A group has one handler for all its stacks. Ignored for a presented stack.
    public func whenEmpty(_ handler: @escaping @MainActor (ScreenStack) -> Void) {
        if !isPresented { hierarchy?.whenEmpty(handler) }
    }

    /// Combines several changes into one for the surface and the coordinators.
    public func update(_ changes: () -> Void) {
        // A strong reference, because the changes may release the base stacks.
        let hierarchy = hierarchy
        hierarchy?.updates += 1
        updates += 1
        changes()
        if updates == 1 { settle() }
        updates -= 1
        hierarchy?.updates -= 1
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
            over?.removeAll(by: owner)
        }
    }

    /// - Parameter owner: the coordinator that removes the screens.
    func remove(_ screens: [any Screen], by owner: (any ScreenOwner)? = nil) {
        update {
            let leaving = entries.filter { entry in screens.contains { $0 === entry.screen } }
            guard !leaving.isEmpty else { return }
            entries.removeAll { entry in leaving.contains { $0.screen === entry.screen } }
            removals += leaving.reversed().map {
                Removal(screen: $0.screen, owner: $0.owner, isOwn: owner != nil && $0.owner === owner)
            }
        }
    }

    /// The owner has stopped. If it comes back to the top, it is notified again.
    func release(_ owner: any ScreenOwner) {
        hierarchy?.release(owner)
    }

    var topOwner: (any ScreenOwner)? { entries.last?.owner }

    // MARK: Changes

    /// Shows the changes and notifies the owners, until no owner makes another change.
    private func settle() {
        repeat {
            showEntries()
            notifyOfRemovals()
            hierarchy?.notifyActive()
        } while !isShown || !removals.isEmpty
    }

    /// Whether it has no screen, before and after the change under way.
    var isEmpty: Bool { entries.isEmpty && shown.isEmpty }

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
        guard isPresented else { return }
        over?.removeAll()
        surface?.dismiss()
        detachSurface()
    }

    private func notifyOfRemovals() {
        while let first = removals.first {
            let same = removals.filter { $0.owner === first.owner }
            removals.removeAll { $0.owner === first.owner }
            // The owner may have pushed the same screen again.
            let gone = same.filter { removal in
                !removal.isOwn || !entries.contains { $0.screen === removal.screen }
            }
            guard !gone.isEmpty else { continue }
            first.owner?.screensDidLeave(gone.map(\.screen), popped: gone.filter { !$0.isOwn }.map(\.screen))
        }
    }

    private func userDidGoBack(_ remaining: [any Screen]) {
        update {
            shown = remaining
            // Going back from the root screen does not trigger `whenEmpty`.
            if remaining.isEmpty, !isPresented { hierarchy?.ignoreEmpty(self) }
            if remaining.isEmpty, isPresented {
                over?.userDidGoBack([])
                detachSurface()
            }
            remove(screens.filter { screen in !remaining.contains { $0 === screen } })
        }
    }

    private func removeAll(by owner: (any ScreenOwner)? = nil) {
        remove(screens, by: owner)
    }

    // MARK: Stacks over others

    /// The next stack over this one.
    private var over: ScreenStack? { hierarchy?.stack(over: self) }

    private func attach(_ surface: any NavigationSurface) {
        self.surface = surface
        surface.userDidGoBack = { [weak self] remaining in self?.userDidGoBack(remaining) }
    }

    private func cover() {
        guard let below = hierarchy?.topSurface else { return }
        hierarchy?.presented.append(self)
        attach(below.present())
    }

    private func detachSurface() {
        surface?.userDidGoBack = nil
        surface = nil
        hierarchy?.presented.removeAll { $0 === self }
    }
}

/// A coordinator, as its stack sees it.
protocol ScreenOwner: Responder {
    /// Notifies the owner that screens were removed, topmost first.
    ///
    /// - Parameter popped: those that the owner did not remove itself.
    func screensDidLeave(_ screens: [any Screen], popped: [any Screen])
    func didBecomeFrontmost()
    func didResignFrontmost()
}
