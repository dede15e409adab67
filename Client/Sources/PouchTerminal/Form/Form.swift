/// What one scrolls and walks through from top to bottom: keeps the focus, the texts in the fields and how far it is
/// scrolled, while the elements are made anew from what is to be shown.
@MainActor
public final class Form {
    /// Columns on the left, where the focus is marked.
    private static let margin = 2

    /// The element that gets the keys first.
    public private(set) var focus: String?
    /// Whether the focus is where it was moved to; else it is on the first element, whichever comes.
    private var isMoved = false
    /// The element that is to get the focus when it comes.
    private var awaited: String?
    private var fields: [String: TextField] = [:]
    private var top = 0
    /// Where the focus was when it was last drawn, from the form's first row.
    private var focusedRow = 0
    private var area = Area(x: 0, y: 0, width: 0, height: 0)

    public init() {}

    /// The text in a field; empty where there is none.
    public subscript(id: String) -> String {
        get { fields[id]?.text ?? "" }
        set { if self[id] != newValue || fields[id] == nil { fields[id] = TextField(newValue) } }
    }

    /// Gives an element the focus as soon as it is there, unless the user does something before.
    public func focus(on id: String) {
        awaited = id
    }

    /// Whether what is pressed is written into a field.
    public func isWriting(_ elements: [FormElement]) -> Bool {
        settleFocus(elements)
        return elements.contains { $0.id != nil && $0.id == focus && $0.isField }
    }

    /// A text field.
    ///
    /// - Parameters:
    ///   - isSecret: what is written is shown as dots.
    ///   - submit: what Enter does; nil goes on to the next element.
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

    /// - Returns: whether the key meant something to the element with the focus, or moved the focus.
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
            if places[index].lowerBound != focusedRow { show(places[index], isFirst: isFirst) }
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

    /// An element that is gone has no focus.
    private func settleFocus(_ elements: [FormElement]) {
        let ids = elements.compactMap(\.id)
        if let awaited, ids.contains(awaited) {
            (focus, isMoved) = (awaited, true)
            self.awaited = nil
        }
        if let focus, isMoved, !ids.contains(focus) { isMoved = false }
        if !isMoved { focus = ids.first }
    }

    /// Of an element; as much is free on the right as on the left.
    private var width: Int { max(0, area.width - 2 * Self.margin) }

    /// The rows of each element, from the form's first.
    private func places(_ elements: [FormElement]) -> [Range<Int>] {
        var row = 0
        return elements.map { element in
            let isFocused = element.id != nil && element.id == focus
            let start = row
            row += element.block(isFocused).height(width: width)
            return start..<row
        }
    }

    /// To another element, unless more lies between than can be seen at once: that is scrolled first.
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

    /// What stands above the first element that can have the focus is shown together with it.
    private func show(_ rows: Range<Int>, isFirst: Bool) {
        if isFirst { top = 0 }
        if rows.upperBound > top + area.height { top = rows.upperBound - area.height }
        if rows.lowerBound < top { top = rows.lowerBound }
    }
}
