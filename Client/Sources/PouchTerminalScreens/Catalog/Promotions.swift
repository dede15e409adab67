import PouchCoordination
import PouchEntities
import PouchScreens
import PouchTerminal

/// The container of the promotions on the home screen. It shows one at a time, and advances automatically. Its messages
/// go up through the screen to the coordinator that handles purchases.
@MainActor
final class PromotionSlider: Responder {
    private static let interval = Duration.seconds(4)

    weak var coordinatingResponder: (any Responder)?
    var promotions: [Promotion] = [] {
        didSet {
            guard promotions != oldValue else { return }
            position = min(position, max(0, promotions.count - 1))
        }
    }
    /// The index of the shown promotion.
    private(set) var position = 0
    private let environment: ScreenEnvironment
    private var sliding: Task<Void, Never>?

    init(_ environment: ScreenEnvironment) {
        self.environment = environment
    }

    deinit {
        sliding?.cancel()
    }

    /// The shown promotion; nil if there are none.
    var current: Promotion? { promotions.indices.contains(position) ? promotions[position] : nil }

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

    /// Moves for the user, and restarts the interval until the next one.
    func slide(by count: Int) {
        move(by: count)
        start()
    }

    private func move(by count: Int) {
        guard !promotions.isEmpty else { return }
        position = (position + count + promotions.count) % promotions.count
        environment.redraw()
    }
}

/// The frame of a promotion, with its product, its position and the button to buy it.
struct PromotionBox: Block {
    private static let textRows = 2

    let promotion: Promotion
    let position: Int
    let count: Int
    let isFocused: Bool

    func height(width: Int) -> Int { Self.textRows + 4 }

    func draw(on canvas: inout Canvas, in area: Area) {
        let product = promotion.product
        let name = StyledText(product.name, .bold)
        let price = StyledText(priceOf: product)
        let button = StyledText("[ b Buy now ]", isFocused ? Style.bold.adding(.reversed) : .bold)
        let text = StyledText(product.description ?? "").wrapped(to: area.width - 4)
        let rows: [any Block] =
            [Row(name, price)]
            + (0..<Self.textRows).map { row in
                Row(row < text.count ? shortened(text, row, area.width - 4) : "")
            } + [Row(button, StyledText("‹ \(position + 1) of \(count) ›"))]
        Box(StyledText("New in the shop", .bold), style: isFocused ? .bold : .dim, Stack(rows)).draw(
            on: &canvas, in: area)
    }

    /// A row of the text. The last row ends in an ellipsis if there are more.
    private func shortened(_ text: [StyledText], _ row: Int, _ width: Int) -> StyledText {
        guard row == Self.textRows - 1, text.count > Self.textRows else { return text[row] }
        return text[row].truncated(to: width - 1) + "…"
    }
}
