import KooberScreens
import KooberTexts
import PouchTerminal

/// A ride option in one row or, where there is room, next to its drawing.
struct RideOptionRow: Block {
    /// In columns.
    private static let drawingWidth = 11

    private let mark: StyledText
    private let title: StyledText
    private let facts: String
    private let fare: String
    private let isFocused: Bool
    /// Empty without room for it.
    private let drawing: [String]

    @MainActor
    init(_ option: DisplayableRideOption, _ context: PageContext, isFocused: Bool) {
        mark = StyledText(option.isSelected ? "● " : "○ ", option.isSelected ? .green : .dim)
        title = StyledText(option.title, option.isSelected ? .bold : .plain)
        facts = "\(context.text(option.riders)), \(context.text(option.weight))"
        fare = context.text(option.fare)
        self.isFocused = isFocused
        drawing = context.isWide ? KangarooDrawing.rows(of: option.id) : []
    }

    func height(width: Int) -> Int { max(1, drawing.count) }

    func draw(on canvas: inout Canvas, in area: Area) {
        let style = isFocused ? Style.reversed : .plain
        guard !drawing.isEmpty else {
            return Row(mark + title + StyledText("  \(facts)", .dim), StyledText(fare), style: style)
                .draw(on: &canvas, in: area)
        }
        for (index, row) in drawing.enumerated() {
            canvas.write(StyledText(row, .yellow), x: area.x, y: area.y + index)
        }
        let right = Area(
            x: area.x + Self.drawingWidth, y: area.y + drawing.count / 2 - 1, width: area.width - Self.drawingWidth,
            height: 2)
        Row(mark + title, StyledText(fare), style: style).draw(on: &canvas, in: right)
        Row(StyledText("  \(facts)", .dim)).draw(on: &canvas, in: right.split(top: 1).1)
    }
}

/// The animals from the side, as large beside each other as they are.
private enum KangarooDrawing {
    /// Of the same height for all, so that a list is even. An unknown animal looks like a kangaroo.
    static func rows(of option: String) -> [String] {
        switch option {
        case "wallaby": ["", "    (\\", "  _/ '>", " /( )", "~ /_\\_"]
        case "wallaroo": ["    (\\(\\", "    ( '>", "  _/ /", " /(  )", "~  \\_\\_"]
        default: ["     (\\(\\", "     ( '>", "   _/ /-", " _/  )/", "~  \\_\\__"]
        }
    }
}
