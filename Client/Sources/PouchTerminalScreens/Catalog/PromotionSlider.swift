import PouchCoordination
import PouchEntities

/// The container of the promotions on the front: one is seen at a time, and they slide by.
@MainActor
final class PromotionSlider: Responder {
    private static let interval = Duration.seconds(4)

    weak var coordinatingResponder: (any Responder)?
    /// In the order in which they slide by.
    var promotions: [Promotion] = [] {
        didSet {
            guard promotions != oldValue else { return }
            position = min(position, max(0, promotions.count - 1))
            cells = promotions.map { PromotionCell($0, in: self) }
        }
    }
    /// Of the one that is seen.
    private(set) var position = 0
    private var cells: [PromotionCell] = []
    private let environment: ScreenEnvironment
    private var sliding: Task<Void, Never>?

    init(_ environment: ScreenEnvironment) {
        self.environment = environment
    }

    deinit {
        sliding?.cancel()
    }

    /// nil where there are none.
    var current: PromotionCell? { cells.indices.contains(position) ? cells[position] : nil }

    func start() {
        sliding?.cancel()
        sliding = Task { [clock = environment.clock, weak self] in
            while (try? await clock.sleep(for: Self.interval)) != nil, let self { move(by: 1) }
        }
    }

    func stop() {
        sliding?.cancel()
        sliding = nil
    }

    /// By the user's hand; the next one comes by itself after the full time.
    func slide(by count: Int) {
        move(by: count)
        start()
    }

    private func move(by count: Int) {
        guard !cells.isEmpty else { return }
        position = (position + count + cells.count) % cells.count
        environment.redraw()
    }
}
