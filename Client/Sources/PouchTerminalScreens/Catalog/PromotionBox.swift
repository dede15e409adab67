import PouchEntities
import PouchTerminal

/// How a promotion looks.
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
        let price = StyledText(price: product.price, before: product.compareAtPrice)
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

    /// The last row that is seen tells when there is more.
    private func shortened(_ text: [StyledText], _ row: Int, _ width: Int) -> StyledText {
        guard row == Self.textRows - 1, text.count > Self.textRows else { return text[row] }
        return text[row].truncated(to: width - 1) + "…"
    }
}
