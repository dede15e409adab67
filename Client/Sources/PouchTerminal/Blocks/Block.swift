/// A part of what is shown, as high as it has to be at a given width.
public protocol Block {
    func height(width: Int) -> Int

    /// - Parameter area: as high as `height` said, or not; what lies outside is the canvas's to clip.
    func draw(on canvas: inout Canvas, in area: Area)
}

extension Block {
    /// What one sees of it at this width, row by row.
    public func lines(width: Int) -> [String] {
        var canvas = Canvas(TerminalSize(columns: width, rows: height(width: width)))
        draw(on: &canvas, in: canvas.area)
        return canvas.lines
    }
}
