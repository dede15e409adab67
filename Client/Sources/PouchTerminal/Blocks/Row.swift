/// One row: text on the left, and, where there is any, on the right, which is shown whole first.
public struct Row: Block {
    private let leading: StyledText
    private let trailing: StyledText
    private let style: Style

    /// - Parameter style: of the whole row, from edge to edge.
    public init(_ leading: StyledText, _ trailing: StyledText = "", style: Style = .plain) {
        self.leading = leading.adding(style)
        self.trailing = trailing.adding(style)
        self.style = style
    }

    public func height(width: Int) -> Int { 1 }

    public func draw(on canvas: inout Canvas, in area: Area) {
        let (row, _) = area.split(top: 1)
        if style != .plain { canvas.fill(row, style) }
        let right = min(trailing.columns, row.width)
        canvas.write(trailing, x: row.x + row.width - right, y: row.y, columns: right)
        let room = trailing.isEmpty ? row.width : row.width - right - 1
        canvas.write(leading, x: row.x, y: row.y, columns: max(0, room))
    }
}
