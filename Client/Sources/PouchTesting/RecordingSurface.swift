import PouchCoordination

/// A surface that draws nothing and records the screens that it shows. A test reads them and acts as the user:
///
///     let record = ScreenRecord()
///     let surface = RecordingSurface(record)
///     let app = AppCoordinator(on: surface, screens: RecordingScreens(record))
///     app.start()
///     app.dependency = AppDependency(Pouch(testing: TestShop()))
///     let home = try await surface.top(RecordingHomeScreen.self)
///     try await home.send(ShopPage.product(handle: "hat-1"))
///     let product = try await surface.top(RecordingProductScreen.self) { $0.product.value != nil }
///     surface.goBack()
///     #expect(app.pages == [.home])
@MainActor
public final class RecordingSurface: NavigationSurface {
    public var userDidGoBack: (@MainActor ([any Screen]) -> Void)?
    /// The screens, from bottom to top.
    public private(set) var screens: [any Screen] = []
    /// The number of calls of `show`.
    public private(set) var shows = 0
    /// The surface over this one.
    public private(set) var presented: RecordingSurface?
    private weak var presenter: RecordingSurface?
    private let record: ScreenRecord

    /// - Parameter record: the record of the screens, so that `top` also waits for changes of their data.
    public init(_ record: ScreenRecord = ScreenRecord()) {
        self.record = record
    }

    public func show(_ screens: [any Screen]) {
        self.screens = screens
        shows += 1
        record.noteChange()
    }

    public func present() -> any NavigationSurface {
        let surface = RecordingSurface(record)
        surface.presenter = self
        presented = surface
        return surface
    }

    public func dismiss() {
        presenter?.presented = nil
        record.noteChange()
    }

    // MARK: What the user sees and does

    /// The surface that covers all others; this one if it is not covered.
    public var top: RecordingSurface { presented?.top ?? self }

    /// Waits until the visible screen is of a kind and meets a condition.
    ///
    /// - Throws: `CancellationError` if the test is cancelled, for example by its time limit.
    @discardableResult
    public func top<Kind>(
        _ kind: Kind.Type = Kind.self, where isMet: @escaping (Kind) -> Bool = { _ in true }
    ) async throws -> Kind {
        try await record.first { [self] in (top.screens.last as? Kind).flatMap { isMet($0) ? $0 : nil } }
    }

    /// Goes back by a number of screens at once.
    public func goBack(_ count: Int = 1) {
        screens.removeLast(min(count, screens.count))
        if screens.isEmpty { dismiss() }
        userDidGoBack?(screens)
        record.noteChange()
    }

    /// Starts a back gesture and cancels it.
    public func goBackAndGiveUp() {
        userDidGoBack?(screens)
    }
}

/// A tab bar or a split view that draws nothing.
@MainActor
public final class RecordingGroup: GroupSurface {
    public let recorded: [RecordingSurface]
    public private(set) var visible: Set<Int>
    public var visibleDidChange: (@MainActor () -> Void)?

    /// - Parameters:
    ///   - count: the number of tabs or columns.
    ///   - record: the record of the tree under test.
    ///   - visible: the indices of the visible ones.
    public init(_ count: Int, _ record: ScreenRecord = ScreenRecord(), visible: Set<Int> = [0]) {
        recorded = (0..<count).map { _ in RecordingSurface(record) }
        self.visible = visible
    }

    public var surfaces: [any NavigationSurface] { recorded }

    public func choose(_ index: Int) { visible = [index] }

    /// Makes other surfaces visible, as the user would.
    public func userShows(_ visible: Set<Int>) {
        self.visible = visible
        visibleDidChange?()
    }
}

/// The screens of a tree under test. It notifies a waiting test of each change, and knows which screens still exist.
@MainActor
public final class ScreenRecord {
    private struct Wait {
        let isMet: () -> Bool
        let turn: CheckedContinuation<Void, any Error>
    }

    private struct Made {
        weak var screen: (any Screen)?
    }

    private var waits: [Int: Wait] = [:]
    private var lastId = 0
    private var made: [Made] = []

    public init() {}

    /// The created screens that still exist, for example to test that all of them are deallocated.
    public var living: [any Screen] { made.compactMap(\.screen) }

    /// Called by a screen when it is created.
    public func noteMade(_ screen: any Screen) { made.append(Made(screen: screen)) }

    /// Called by a screen after its data changed.
    public func noteChange() {
        for (id, wait) in waits where wait.isMet() {
            waits[id] = nil
            wait.turn.resume()
        }
    }

    /// Waits until a condition is met, which is checked after each change.
    ///
    /// - Throws: `CancellationError` if the test is cancelled, for example by its time limit.
    public func until(_ isMet: @escaping () -> Bool) async throws {
        guard !isMet() else { return }
        lastId += 1
        let id = lastId
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (turn: CheckedContinuation<Void, any Error>) in
                guard !Task.isCancelled else { return turn.resume(throwing: CancellationError()) }
                waits[id] = Wait(isMet: isMet, turn: turn)
            }
        } onCancel: {
            Task { @MainActor in waits.removeValue(forKey: id)?.turn.resume(throwing: CancellationError()) }
        }
    }

    /// Waits until a value exists, which is checked after each change.
    ///
    /// - Throws: `CancellationError` if the test is cancelled, for example by its time limit.
    public func first<Value>(_ find: @escaping () -> Value?) async throws -> Value {
        var found: Value?
        try await until {
            found = find()
            return found != nil
        }
        guard let found else { throw CancellationError() }
        return found
    }
}
