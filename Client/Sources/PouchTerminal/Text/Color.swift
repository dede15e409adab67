/// A colour of the terminal's own palette, by its number in ANSI's order.
public enum Color: UInt8, Sendable {
    case black, red, green, yellow, blue, magenta, cyan, white
    case brightBlack, brightRed, brightGreen, brightYellow, brightBlue, brightMagenta, brightCyan, brightWhite
}
