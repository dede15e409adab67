/// How far something is.
public struct ProgressBar: Block {
    private let fraction: Double

    /// - Parameter fraction: what lies outside 0...1 counts as the nearer end.
    public init(_ fraction: Double) {
        self.fraction = fraction.isNaN ? 0 : min(1, max(0, fraction))
    }

    public func height(width: Int) -> Int { 1 }

    public func draw(on canvas: inout Canvas, in area: Area) {
        let filled = Int(fraction * Double(area.width))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: area.width - filled)
        canvas.write(StyledText(bar), x: area.x, y: area.y)
    }
}
