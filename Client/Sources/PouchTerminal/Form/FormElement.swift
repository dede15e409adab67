/// A part of a form: text, or a focusable element.
@MainActor
public struct FormElement {
    /// Unique within the form; nil for an element that cannot have the focus.
    let id: String?
    let isField: Bool
    let block: @MainActor (_ isFocused: Bool) -> any Block
    let press: @MainActor (Key) -> Bool
}

extension FormElement {
    /// - Parameters:
    ///   - id: unique within the form.
    ///   - press: called with a key while the element has the focus; returns false for a key that it does not use.
    public init(
        id: String, block: @escaping @MainActor (_ isFocused: Bool) -> any Block,
        press: @escaping @MainActor (Key) -> Bool
    ) {
        self.init(id: id, isField: false, block: block, press: press)
    }

    public static func block(_ block: any Block) -> FormElement {
        FormElement(id: nil, isField: false, block: { _ in block }, press: { _ in false })
    }

    public static func text(_ text: StyledText) -> FormElement { .block(Paragraph(text)) }

    public static var blank: FormElement { .block(Row("")) }

    /// An action, which Enter or a space starts.
    public static func button(_ id: String, _ title: String, do action: @escaping @MainActor () -> Void)
        -> FormElement
    {
        FormElement(id: id) { isFocused in
            Row(StyledText("[ \(title) ]", isFocused ? Style.bold.adding(.reversed) : .bold))
        } press: { key in
            guard key == .enter || key == .character(" ") else { return false }
            action()
            return true
        }
    }

    /// An item of a list, which Enter opens.
    public static func row(
        _ id: String, _ leading: StyledText, _ trailing: StyledText = "", open: @escaping @MainActor () -> Void
    ) -> FormElement {
        FormElement(id: id) { isFocused in
            Row(leading, trailing, style: isFocused ? .reversed : .plain)
        } press: { key in
            guard key == .enter else { return false }
            open()
            return true
        }
    }

    /// A choice between a few values, which ← and → change.
    ///
    /// - Parameters:
    ///   - selected: the index of a value; nil for none.
    ///   - folds: whether the other values are shown only while the element has the focus.
    ///   - isOffered: whether a value is available. Others are struck out, but can still be selected.
    public static func choice(
        _ id: String, _ label: String, _ values: [String], selected: Int?, folds: Bool = false,
        isOffered: @escaping @MainActor (Int) -> Bool = { _ in true }, select: @escaping @MainActor (Int) -> Void
    ) -> FormElement {
        FormElement(id: id) { isFocused in
            ChoiceRow(
                label: label, folds: folds, values: values.enumerated().map { ($1, isOffered($0)) }, selected: selected,
                isFocused: isFocused)
        } press: { key in
            guard !values.isEmpty, key == .left || key == .right else { return false }
            let wanted = selected.map { key == .left ? $0 - 1 : $0 + 1 } ?? 0
            if values.indices.contains(wanted) { select(wanted) }
            return true
        }
    }
}

// MARK: - Rows with a label

/// A label and a text field.
struct FieldRow: Block {
    let label: String
    let field: TextField
    let isSecret: Bool
    let isFocused: Bool

    func height(width: Int) -> Int { 1 }

    func draw(on canvas: inout Canvas, in area: Area) {
        let right = drawLabel(label, isFocused, on: &canvas, in: area)
        canvas.fill(Area(x: right.x, y: right.y, width: right.width, height: 1), .underlined)
        let characters = Array(isSecret ? String(repeating: "•", count: field.text.count) : field.text)
        var x = right.x
        for (index, character) in characters.enumerated().dropFirst(firstVisible(characters, width: right.width)) {
            guard x + character.columns <= right.x + right.width else { break }
            let style = isFocused && index == field.cursor ? Style.reversed : .underlined
            canvas.write(StyledText(String(character), style), x: x, y: right.y)
            x += character.columns
        }
        if isFocused, field.cursor == characters.count { canvas.write(StyledText(" ", .reversed), x: x, y: right.y) }
    }

    /// Returns the first visible character: the leftmost one for which the cursor is still visible.
    private func firstVisible(_ characters: [Character], width: Int) -> Int {
        guard isFocused else { return 0 }
        var room = width - (field.cursor < characters.count ? characters[field.cursor].columns : 1)
        var first = field.cursor
        while first > 0 {
            room -= characters[first - 1].columns
            guard room >= 0 else { break }
            first -= 1
        }
        return first
    }
}

/// A label and the values of a choice, with the selected one in brackets.
private struct ChoiceRow: Block {
    let label: String
    let folds: Bool
    let values: [(name: String, isOffered: Bool)]
    let selected: Int?
    let isFocused: Bool

    func height(width: Int) -> Int { max(1, lines(width - labelColumns(in: width)).count) }

    func draw(on canvas: inout Canvas, in area: Area) {
        let right = drawLabel(label, isFocused, on: &canvas, in: area)
        for (row, line) in lines(right.width).enumerated() { canvas.write(line, x: right.x, y: right.y + row) }
    }

    private func lines(_ width: Int) -> [StyledText] {
        let seen = values.enumerated().filter { index, _ in isFocused || !folds || index == selected }
        let pieces = seen.map { text($0, $1.name, $1.isOffered) }
        return StyledText.lines(of: pieces, gap: 1, width: width)
    }

    private func text(_ index: Int, _ name: String, _ isOffered: Bool) -> StyledText {
        let isSelected = index == selected
        var style = isOffered ? Style.plain : Style([.dim, .struckOut])
        if isSelected { style = style.adding(isFocused ? .reversed : .bold) }
        return isSelected ? StyledText("[\(name)]", style) : " " + StyledText(name, style) + " "
    }
}

/// - Returns: the columns of the label.
private func labelColumns(in width: Int) -> Int { min(18, width / 2) }

/// - Returns: the area to the right of the label.
private func drawLabel(_ label: String, _ isFocused: Bool, on canvas: inout Canvas, in area: Area) -> Area {
    let (left, right) = area.split(left: labelColumns(in: area.width))
    canvas.write(StyledText(label, isFocused ? .bold : .plain), x: left.x, y: left.y, columns: left.width - 1)
    return right
}
