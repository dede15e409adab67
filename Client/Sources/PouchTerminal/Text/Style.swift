/// The appearance of characters: attributes and a colour.
public struct Style: Sendable, Hashable {
    public struct Attributes: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        public static let bold = Attributes(rawValue: 1)
        public static let dim = Attributes(rawValue: 2)
        public static let underlined = Attributes(rawValue: 4)
        /// Swaps foreground and background.
        public static let reversed = Attributes(rawValue: 8)
        public static let struckOut = Attributes(rawValue: 16)
    }

    public var attributes: Attributes
    /// The colour; nil for the terminal's default.
    public var foreground: Color?

    public init(_ attributes: Attributes = [], foreground: Color? = nil) {
        self.attributes = attributes
        self.foreground = foreground
    }

    public static let plain = Style()
    public static let bold = Style(.bold)
    public static let dim = Style(.dim)
    public static let underlined = Style(.underlined)
    public static let reversed = Style(.reversed)

    public static let red = color(.red)
    public static let green = color(.green)
    public static let yellow = color(.yellow)
    public static let cyan = color(.cyan)

    public static func color(_ color: Color) -> Style { Style(foreground: color) }

    /// This style with the other's attributes added, and with the other's colour if it has one.
    public func adding(_ other: Style) -> Style {
        Style(attributes.union(other.attributes), foreground: other.foreground ?? foreground)
    }

    /// The escape sequence that selects this style and no other: ANSI's "select graphic rendition".
    ///
    /// - Parameter hasColors: false omits the colour, for NO_COLOR.
    func selection(hasColors: Bool) -> String {
        var parameters = "0"
        for (attribute, number) in Self.parameters where attributes.contains(attribute) { parameters += ";\(number)" }
        if hasColors, let foreground { parameters += ";\(30 + foreground.rawValue)" }
        return "\u{1B}[\(parameters)m"
    }

    private static let parameters: [(Style.Attributes, Int)] = [
        (.bold, 1), (.dim, 2), (.underlined, 4), (.reversed, 7), (.struckOut, 9),
    ]
}

/// A colour of the terminal's own palette, by its number in ANSI's order.
public enum Color: UInt8, Sendable {
    case black, red, green, yellow, blue, magenta, cyan, white
}
