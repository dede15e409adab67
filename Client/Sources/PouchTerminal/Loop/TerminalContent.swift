/// What a `TerminalLoop` shows.
@MainActor
public protocol TerminalContent: AnyObject {
    /// On a smaller terminal a message stands in its place.
    var minimumSize: TerminalSize { get }

    /// Draws all of it; what is not drawn on is blank.
    func draw(on canvas: inout Canvas)

    /// Ctrl-C, Ctrl-L and Ctrl-Z never come here: the loop ends, paints anew or steps back.
    func press(_ key: Key)
}
