/// A text field beside its label.
struct FieldRow: Block {
    static let labelColumns = 18

    let label: String
    let field: TextField
    let isSecret: Bool
    let isFocused: Bool

    func height(width: Int) -> Int { 1 }

    func draw(on canvas: inout Canvas, in area: Area) {
        let (left, right) = area.split(left: min(Self.labelColumns, area.width / 2))
        canvas.write(StyledText(label, isFocused ? .bold : .plain), x: left.x, y: left.y, columns: left.width - 1)
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

    /// As few characters are hidden on the left as let the cursor be seen.
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
