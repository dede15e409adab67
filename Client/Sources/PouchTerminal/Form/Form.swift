/// A scrollable column of elements that the user moves through with the arrow keys.
///
/// The form stores the focus, the texts of the fields and the scroll position. The elements themselves are values that
/// the caller builds from its current state for each call:
///
///     let form = Form()
///     let elements: [FormElement] = [.text("Your cart stays."), form.field("email", "E-mail")]
///     form.draw(elements, on: &canvas, in: canvas.area)
///     _ = form.press(.character("a"), elements)
///     form["email"] == "a"
@MainActor
public final class Form {
    /// Columns on the left, for the mark of the focus.
    private static let margin = 2

    /// The id of the element that receives keys first.
    public private(set) var focus: String?
    /// Whether the focus was moved. Otherwise it is on the first element, even if the elements change.
    private var isMoved = false
    /// The id of an element that receives the focus as soon as it exists.
    private var awaited: String?
    private var fields: [String: TextField] = [:]
    private var top = 0
    /// The row of the focused element when it was last drawn, from the form's first row.
    private var focusedRow = 0
    private var area = Area(x: 0, y: 0, width: 0, height: 0)

    public init() {}

    /// The text in a field; empty for an unknown field.
    public subscript(id: String) -> String {
        get { fields[id]?.text ?? "" }
        set { if self[id] != newValue || fields[id] == nil { fields[id] = TextField(newValue) } }
    }

    /// Moves the focus to an element as soon as it exists, unless the user presses a key before.
    public func focus(on id: String) {
        awaited = id
    }

    /// Whether the focus is on a field, so that characters are written into it.
    public func isWriting(_ elements: [FormElement]) -> Bool {
        settleFocus(elements)
        return elements.contains { $0.id != nil && $0.id == focus && $0.isField }
    }

    /// A text field.
    ///
    /// - Parameters:
    ///   - isSecret: shows the text as dots.
    ///   - submit: called on Enter; nil moves the focus to the next element.
    public func field(
        _ id: String, _ label: String, isSecret: Bool = false, submit: (@MainActor () -> Void)? = nil
    ) -> FormElement {
        FormElement(id: id, isField: true) { [self] isFocused in
            FieldRow(label: label, field: fields[id] ?? TextField(), isSecret: isSecret, isFocused: isFocused)
        } press: { [self] key in
            if key == .enter, let submit {
                submit()
                return true
            }
            return fields[id, default: TextField()].press(key)
        }
    }

    /// Passes the key to the focused element; if the element does not use it, moves the focus or scrolls.
    ///
    /// - Returns: whether the key was used.
    public func press(_ key: Key, _ elements: [FormElement]) -> Bool {
        let stops = elements.indices.filter { elements[$0].id != nil }
        settleFocus(elements)
        awaited = nil
        let current = stops.firstIndex { elements[$0].id == focus }
        if let current, elements[stops[current]].press(key) {
            isMoved = true
            return true
        }
        switch key {
        case .up, .backTab: move(to: stops, (current ?? 1) - 1, elements, scrolling: -1)
        case .down, .tab, .enter: move(to: stops, (current ?? -1) + 1, elements, scrolling: 1)
        case .pageUp: scroll(by: 1 - area.height, elements)
        case .pageDown: scroll(by: area.height - 1, elements)
        case .home:
            top = 0
            focus = stops.first.flatMap { elements[$0].id }
        case .end:
            top = places(elements).last.map { $0.upperBound } ?? 0
            focus = stops.last.flatMap { elements[$0].id }
        default: return false
        }
        isMoved = true
        return true
    }

    public func draw(_ elements: [FormElement], on canvas: inout Canvas, in area: Area) {
        self.area = area
        settleFocus(elements)
        let places = places(elements)
        let height = places.last.map { $0.upperBound } ?? 0
        if let index = elements.firstIndex(where: { $0.id != nil && $0.id == focus }) {
            let isFirst = !elements[..<index].contains { $0.id != nil }
            if places[index].lowerBound != focusedRow { scroll(to: places[index], isFirst: isFirst) }
            focusedRow = places[index].lowerBound
        }
        top = max(0, min(top, height - area.height))
        canvas.clipped(to: area) { canvas in
            for (element, rows) in zip(elements, places)
            where rows.upperBound > top && rows.lowerBound < top + area.height {
                let isFocused = element.id != nil && element.id == focus
                let y = area.y + rows.lowerBound - top
                if isFocused { canvas.write("›", x: area.x, y: y) }
                element.block(isFocused).draw(
                    on: &canvas, in: Area(x: area.x + Self.margin, y: y, width: width, height: rows.count))
            }
            let edge = area.x + area.width - 1
            if top > 0 { canvas.write(StyledText("↑", .dim), x: edge, y: area.y) }
            if height > top + area.height {
                canvas.write(StyledText("↓", .dim), x: edge, y: area.y + area.height - 1)
            }
        }
    }

    /// Moves the focus to an awaited element, and away from one that no longer exists.
    private func settleFocus(_ elements: [FormElement]) {
        let ids = elements.compactMap(\.id)
        if let awaited, ids.contains(awaited) {
            (focus, isMoved) = (awaited, true)
            self.awaited = nil
        }
        if let focus, isMoved, !ids.contains(focus) { isMoved = false }
        if !isMoved { focus = ids.first }
    }

    /// The width of an element. The margin on the right is as wide as the one on the left.
    private var width: Int { max(0, area.width - 2 * Self.margin) }

    /// The rows of each element, from the form's first row.
    private func places(_ elements: [FormElement]) -> [Range<Int>] {
        var row = 0
        return elements.map { element in
            let isFocused = element.id != nil && element.id == focus
            let start = row
            row += element.block(isFocused).height(width: width)
            return start..<row
        }
    }

    /// Moves the focus to another element. If that is more than half a screen away, scrolls by half a screen instead.
    private func move(to stops: [Int], _ index: Int, _ elements: [FormElement], scrolling direction: Int) {
        guard stops.indices.contains(index) else { return scroll(by: direction, elements, keepsFocus: true) }
        let rows = places(elements)[stops[index]]
        let distance = direction > 0 ? rows.lowerBound - top - area.height : top - rows.upperBound
        guard distance < area.height / 2 else {
            return scroll(by: direction * max(1, area.height / 2), elements, keepsFocus: true)
        }
        focus = elements[stops[index]].id
    }

    private func scroll(by rows: Int, _ elements: [FormElement], keepsFocus: Bool = false) {
        let places = places(elements)
        let height = places.last.map { $0.upperBound } ?? 0
        top = max(0, min(top + rows, height - area.height))
        guard !keepsFocus else { return }
        let visible = zip(elements, places).filter { element, rows in
            element.id != nil && rows.lowerBound >= top && rows.upperBound <= top + area.height
        }
        let next = rows > 0 && top + area.height >= height ? visible.last : visible.first
        if let element = next?.0 {
            focus = element.id
            focusedRow = next?.1.lowerBound ?? 0
        }
    }

    /// Scrolls to an element. For the first focusable element, the rows above it are also shown.
    private func scroll(to rows: Range<Int>, isFirst: Bool) {
        if isFirst { top = 0 }
        if rows.upperBound > top + area.height { top = rows.upperBound - area.height }
        if rows.lowerBound < top { top = rows.lowerBound }
    }
}
