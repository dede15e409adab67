import KooberScreens
import KooberTexts
import PouchTerminal

/// A ride option in one row or, if there is room, next to its drawing.
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
    init(_ option: DisplayableRideOption, _ context: PageContext, isFocused: Bool, isDrawn: Bool) {
        mark = StyledText(option.isSelected ? "● " : "○ ", option.isSelected ? .green : .dim)
        title = StyledText(option.title, option.isSelected ? .bold : .plain)
        facts = "\(context.text(option.riders)), \(context.text(option.weight))"
        fare = context.text(option.fare)
        self.isFocused = isFocused
        drawing = isDrawn ? KangarooDrawing.rows(of: option.id) : []
    }

    /// The height of a page with the drawings of all its options, a destination of two lines and two buttons.
    static func drawnHeight(of options: Int) -> Int { options * KangarooDrawing.height + 4 }

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
        let (first, others) = area.split(left: Self.drawingWidth).1.split(top: 1)
        Row(mark + title, StyledText(fare), style: style).draw(on: &canvas, in: first)
        Row(StyledText("  \(facts)", .dim)).draw(on: &canvas, in: others)
    }
}

/// The animals from the side, in their relative sizes.
private enum KangarooDrawing {
    /// The height of all drawings, so that a list is even.
    static let height = 5

    /// An unknown animal looks like a kangaroo.
    static func rows(of option: String) -> [String] {
        switch option {
        case "wallaby": ["", "    (\\", "  _/ '>", " /( )", "~ /_\\_"]
        case "wallaroo": ["    (\\(\\", "    ( '>", "  _/ /", " /(  )", "~  \\_\\_"]
        default: ["     (\\(\\", "     ( '>", "   _/ /-", " _/  )/", "~  \\_\\__"]
        }
    }
}
