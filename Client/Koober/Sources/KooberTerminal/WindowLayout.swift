import KooberScreens
import KooberTexts
import PouchTerminal

/// The parts of the window: the title, the map with the elements next to it or below it, the activity, and the keys.
@MainActor
struct WindowLayout {
    /// The width from which the map is shown next to the elements.
    private static let wide = 100
    private static let panelColumns = 46
    /// The height of a map above the elements if they need more than half of the window.
    private static let minMapRows = 5
    /// The maximum width of elements without a map.
    private static let maxWidth = 80
    private static let maxAlertWidth = 60

    let page: Page
    let form: Form
    /// At the right of the title; may be empty.
    let notice: String
    let activity: (any Block)?
    let hints: [KeyHint]
    let alert: (any Block)?
    let language: Language

    /// The rows for elements next to the map; 0 if it is above them.
    static func rowsNextToMap(in size: WindowSize) -> Int {
        size.columns < wide ? 0 : size.rows - 3
    }

    func draw(on canvas: inout Canvas) {
        let (top, below) = canvas.area.split(top: 1)
        Row(StyledText(" Koober", .bold) + "  \(page.title)", StyledText("\(notice) "), style: .reversed)
            .draw(on: &canvas, in: top)
        let hints = KeyHints(hints)
        let (body, last) = below.split(top: below.height - hints.height(width: below.width))
        hints.draw(on: &canvas, in: last)
        // The activity always has a row, so that nothing moves when it starts or ends.
        let activityRows = max(1, activity?.height(width: body.width) ?? 1)
        let (middle, lower) = body.split(top: body.height - activityRows)
        activity?.draw(on: &canvas, in: lower)
        drawPage(on: &canvas, in: middle)
        if let alert { draw(alert, over: body, on: &canvas) }
    }

    private func drawPage(on canvas: inout Canvas, in area: Area) {
        let isWide = area.width >= Self.wide
        guard let map = page.map, isWide || page.hasRoomForMap else {
            return form.draw(page.elements, on: &canvas, in: area.split(left: Self.maxWidth).0)
        }
        if isWide {
            let (panel, rest) = area.split(left: Self.panelColumns)
            form.draw(page.elements, on: &canvas, in: panel)
            map.draw(on: &canvas, in: rest, language)
        } else {
            let rows = min(page.rows, max(area.height / 2, area.height - Self.minMapRows))
            let (upper, panel) = area.split(top: area.height - rows)
            map.draw(on: &canvas, in: upper, language)
            form.draw(page.elements, on: &canvas, in: panel)
        }
    }

    private func draw(_ block: any Block, over area: Area, on canvas: inout Canvas) {
        let width = min(Self.maxAlertWidth, area.width)
        let height = min(block.height(width: width), area.height)
        let middle = Area(
            x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width: width, height: height)
        canvas.fill(middle)
        block.draw(on: &canvas, in: middle)
    }
}
