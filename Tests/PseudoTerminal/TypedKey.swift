/// What a terminal sends for keys that do not write.
public enum TypedKey: String, Sendable {
    case up = "\u{1B}[A"
    case down = "\u{1B}[B"
    case right = "\u{1B}[C"
    case left = "\u{1B}[D"
    case home = "\u{1B}[H"
    case end = "\u{1B}[F"
    case pageUp = "\u{1B}[5~"
    case pageDown = "\u{1B}[6~"
    case enter = "\r"
    case tab = "\t"
    case backTab = "\u{1B}[Z"
    case backspace = "\u{7F}"
    case escape = "\u{1B}"
    case interrupt = "\u{03}"
    case clear = "\u{15}"
    case suspend = "\u{1A}"
}
