/// The values of a choice beside its label, the selected one in brackets.
struct ChoiceRow: Block {
    let label: String
    /// Whether the values that are not selected are seen with the focus only.
    let folds: Bool
    let values: [(name: String, isOffered: Bool)]
    let selected: Int?
    let isFocused: Bool

    func height(width: Int) -> Int { max(1, lines(width - labelColumns(width)).count) }

    func draw(on canvas: inout Canvas, in area: Area) {
        let (left, right) = area.split(left: labelColumns(area.width))
        canvas.write(StyledText(label, isFocused ? .bold : .plain), x: left.x, y: left.y, columns: left.width - 1)
        for (row, line) in lines(right.width).enumerated() { canvas.write(line, x: right.x, y: right.y + row) }
    }

    private func labelColumns(_ width: Int) -> Int { min(FieldRow.labelColumns, width / 2) }

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
