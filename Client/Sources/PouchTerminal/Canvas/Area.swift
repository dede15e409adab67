/// A rectangle of cells; columns and rows count from 0 at the top left. It may lie outside what is visible.
public struct Area: Sendable, Hashable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = max(0, width)
        self.height = max(0, height)
    }

    public init(_ size: TerminalSize) {
        self.init(x: 0, y: 0, width: size.columns, height: size.rows)
    }

    public var isEmpty: Bool { width == 0 || height == 0 }

    /// Smaller by so many columns on the left and right, and rows above and below.
    public func inset(x columns: Int, y rows: Int) -> Area {
        Area(x: x + columns, y: y + rows, width: width - 2 * columns, height: height - 2 * rows)
    }

    /// The uppermost rows, and the rest.
    public func split(top rows: Int) -> (Area, Area) {
        let rows = min(max(0, rows), height)
        return (
            Area(x: x, y: y, width: width, height: rows),
            Area(x: x, y: y + rows, width: width, height: height - rows)
        )
    }

    /// The columns furthest to the left, and the rest.
    public func split(left columns: Int) -> (Area, Area) {
        let columns = min(max(0, columns), width)
        return (
            Area(x: x, y: y, width: columns, height: height),
            Area(x: x + columns, y: y, width: width - columns, height: height)
        )
    }

    public func intersection(_ other: Area) -> Area {
        let left = max(x, other.x)
        let top = max(y, other.y)
        return Area(
            x: left, y: top, width: min(x + width, other.x + other.width) - left,
            height: min(y + height, other.y + other.height) - top)
    }
}
