/// The stacks of one surface or group: the base stacks, next to each other, and the presented ones that cover them all.
///
/// The base stacks retain it, so it needs no other owner.
@MainActor
final class StackHierarchy {
    private struct Base {
        weak var stack: ScreenStack?
    }

    private struct Active {
        weak var owner: (any ScreenOwner)?
    }

    /// In the order of the group's surfaces.
    private var bases: [Base] = []
    /// nil for a single surface.
    private let group: (any GroupSurface)?
    /// The presented stacks that have screens, from bottom to top.
    var presented: [ScreenStack] = []
    /// The number of changes under way, in all stacks.
    var updates = 0
    /// The owners of the frontmost screens.
    private var active: [Active] = []
    /// Called when a visible stack is empty, unless it is in `knownEmpty`.
    private var emptyHandler: (@MainActor (ScreenStack) -> Void)?
    /// The empty stacks that were reported, were empty when the handler was set, or were left by the user.
    private var knownEmpty: Set<ObjectIdentifier> = []

    init(of group: (any GroupSurface)? = nil) {
        self.group = group
        group?.visibleDidChange = { [weak self] in self?.visibleDidChange() }
    }

    func add(_ stack: ScreenStack) {
        bases.append(Base(stack: stack))
    }

    // MARK: Which stacks are visible

    /// The base stacks that are not hidden by one next to them.
    private var shown: [Int] {
        guard let group else { return Array(bases.indices) }
        return bases.indices.filter(group.visible.contains)
    }

    /// The stacks whose topmost screens are frontmost.
    var visible: [ScreenStack] {
        if let top = presented.last { return [top] }
        return shown.compactMap { bases[$0].stack }
    }

    /// The stacks that are hidden by one next to them, then the other base stacks, then the presented ones.
    var all: [ScreenStack] {
        let shown = shown
        let hidden = bases.indices.filter { !shown.contains($0) }
        return (hidden + shown).compactMap { bases[$0].stack } + presented
    }

    /// The topmost surface that the user sees.
    var topSurface: (any NavigationSurface)? {
        if let top = presented.last { return top.surface }
        guard let group else { return bases.first?.stack?.surface }
        return (shown.last ?? bases.indices.first).map { group.surfaces[$0] }
    }

    func stack(over stack: ScreenStack) -> ScreenStack? {
        guard stack.isPresented else { return presented.first }
        guard let index = presented.firstIndex(where: { $0 === stack }) else { return nil }
        return presented[(index + 1)...].first
    }

    /// Makes one of the base stacks visible.
    func choose(_ stack: ScreenStack) {
        guard let group, let index = bases.firstIndex(where: { $0.stack === stack }),
            !group.visible.contains(index)
        else { return }
        group.choose(index)
        visibleDidChange()
    }

    private func visibleDidChange() {
        updates += 1
        notifyActive()
        updates -= 1
    }

    // MARK: The active owners

    /// Notifies the owners that became frontmost or no longer are, unless another update will do so.
    func notifyActive() {
        guard updates == 1 else { return }
        // Each owner may change which ones are on top.
        while true {
            let owners = visible.compactMap(\.topOwner)
            active.removeAll { $0.owner == nil }
            if let lost = active.first(where: { entry in !owners.contains { $0 === entry.owner } })?.owner {
                active.removeAll { $0.owner === lost }
                lost.didResignFrontmost()
            } else if let next = owners.first(where: { owner in !active.contains { $0.owner === owner } }) {
                active.append(Active(owner: next))
                next.didBecomeFrontmost()
            } else if let stack = nextEmpty() {
                emptyHandler?(stack)
            } else {
                return
            }
        }
    }

    func release(_ owner: any ScreenOwner) {
        guard active.contains(where: { $0.owner === owner }) else { return }
        active.removeAll { $0.owner === owner }
        owner.didResignFrontmost()
    }

    // MARK: Stacks without screens

    /// The visible base stacks without a screen.
    var empty: [ScreenStack] { visible.filter { !$0.isPresented && $0.isEmpty } }

    func whenEmpty(_ handler: @escaping @MainActor (ScreenStack) -> Void) {
        emptyHandler = handler
        knownEmpty = Set(empty.map(ObjectIdentifier.init))
    }

    func ignoreEmpty(_ stack: ScreenStack) {
        knownEmpty.insert(ObjectIdentifier(stack))
    }

    /// Returns an empty stack that is not in `knownEmpty`, and adds it.
    private func nextEmpty() -> ScreenStack? {
        let empty = empty
        knownEmpty.formIntersection(empty.map(ObjectIdentifier.init))
        let next = empty.first { !knownEmpty.contains(ObjectIdentifier($0)) }
        if let next { knownEmpty.insert(ObjectIdentifier(next)) }
        return next
    }
}
