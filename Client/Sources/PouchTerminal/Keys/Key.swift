/// What was pressed. Modifiers of keys that do not write are left out.
public enum Key: Sendable, Hashable {
    /// What writes: one scalar of Unicode, which may belong to the character before it.
    case character(Character)
    /// Ctrl with a small letter, a space or one of `\]^_`.
    case control(Character)
    case alt(Character)
    case enter
    case tab
    case backTab
    case backspace
    case delete
    case insert
    case escape
    case up, down, left, right
    case home, end, pageUp, pageDown
    /// From 1.
    case function(Int)
    /// Text from the clipboard, at most `KeyDecoder.pasteLimit` bytes of it.
    case paste(String)
}
