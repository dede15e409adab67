/// A frame around a block, with a title in its upper edge.
public struct Box: Block {
    private let title: StyledText
    private let content: any Block
    private let style: Style

    /// - Parameter style: of the frame.
    public init(_ title: StyledText = "", style: Style = .dim, _ content: any Block) {
        self.title = title
        self.content = content
        self.style = style
    }

    public func height(width: Int) -> Int {
        content.height(width: max(0, width - 4)) + 2
    }

    public func draw(on canvas: inout Canvas, in area: Area) {
        guard area.width >= 2, area.height >= 2 else { return }
        let edge = String(repeating: "─", count: area.width - 2)
        canvas.write(StyledText("┌\(edge)┐", style), x: area.x, y: area.y)
        for y in area.y + 1..<area.y + area.height - 1 {
            canvas.write(StyledText("│", style), x: area.x, y: y)
            canvas.write(StyledText("│", style), x: area.x + area.width - 1, y: y)
        }
        canvas.write(StyledText("└\(edge)┘", style), x: area.x, y: area.y + area.height - 1)
        if !title.isEmpty, area.width > 6 {
            canvas.write(" " + title.truncated(to: area.width - 6) + " ", x: area.x + 2, y: area.y)
        }
        let inner = area.inset(x: 2, y: 1)
        canvas.clipped(to: inner) { content.draw(on: &$0, in: inner) }
    }
}
