/// One place on a canvas.
public struct Cell: Sendable, Hashable {
    /// Harmless, and of one or two columns; of two the right one is covered.
    public let character: Character
    public let style: Style
    /// Whether the character on the left takes this place too.
    let isCovered: Bool

    init(_ character: Character = " ", _ style: Style = .plain, isCovered: Bool = false) {
        self.character = character
        self.style = style
        self.isCovered = isCovered
    }
}
