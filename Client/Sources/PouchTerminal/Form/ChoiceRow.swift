/// The values of a choice beside its label, the selected one in brackets.
struct ChoiceRow: Block {
    let label: String
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

    /// A value is never broken, only cut where it is wider than the line.
    private func lines(_ width: Int) -> [StyledText] {
        guard width > 0 else { return [] }
        var lines: [StyledText] = []
        for (index, value) in values.enumerated() {
            let text = text(index, value.name, value.isOffered).truncated(to: width)
            if let last = lines.last, last.columns + 1 + text.columns <= width {
                lines[lines.count - 1] = last + " " + text
            } else {
                lines.append(text)
            }
        }
        return lines
    }

    private func text(_ index: Int, _ name: String, _ isOffered: Bool) -> StyledText {
        let isSelected = index == selected
        var style = isOffered ? Style.plain : Style([.dim, .struckOut])
        if isSelected { style = style.adding(isFocused ? .reversed : .bold) }
        return isSelected ? StyledText("[\(name)]", style) : " " + StyledText(name, style) + " "
    }
}
