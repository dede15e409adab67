/// How characters look.
public struct Style: Sendable, Hashable {
    public struct Attributes: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        public static let bold = Attributes(rawValue: 1)
        public static let dim = Attributes(rawValue: 2)
        public static let underlined = Attributes(rawValue: 4)
        /// Foreground and background change places.
        public static let reversed = Attributes(rawValue: 8)
        public static let struckOut = Attributes(rawValue: 16)
    }

    public var attributes: Attributes
    /// nil for the terminal's own.
    public var foreground: Color?
    /// nil for the terminal's own.
    public var background: Color?

    public init(_ attributes: Attributes = [], foreground: Color? = nil, background: Color? = nil) {
        self.attributes = attributes
        self.foreground = foreground
        self.background = background
    }

    public static let plain = Style()
    public static let bold = Style(.bold)
    public static let dim = Style(.dim)
    public static let underlined = Style(.underlined)
    public static let reversed = Style(.reversed)
    public static let struckOut = Style(.struckOut)

    public static let red = color(.red)
    public static let green = color(.green)
    public static let yellow = color(.yellow)
    public static let cyan = color(.cyan)

    public static func color(_ color: Color) -> Style { Style(foreground: color) }

    /// This style with the other's attributes too, and with its colours where it has any.
    public func adding(_ other: Style) -> Style {
        Style(
            attributes.union(other.attributes), foreground: other.foreground ?? foreground,
            background: other.background ?? background)
    }
}
