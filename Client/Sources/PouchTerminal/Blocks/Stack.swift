/// Blocks below each other.
public struct Stack: Block {
    private let blocks: [any Block]

    public init(_ blocks: [any Block]) {
        self.blocks = blocks
    }

    public func height(width: Int) -> Int {
        blocks.reduce(0) { $0 + $1.height(width: width) }
    }

    public func draw(on canvas: inout Canvas, in area: Area) {
        var y = area.y
        for block in blocks {
            let height = block.height(width: area.width)
            block.draw(on: &canvas, in: Area(x: area.x, y: y, width: area.width, height: height))
            y += height
        }
    }
}
