/// What programs draw on: a terminal, or what a test puts in its place.
public protocol TerminalDevice: Sendable {
    /// As it is now.
    var size: TerminalSize { get }
    /// Whether colours are wanted; see https://no-color.org.
    var hasColors: Bool { get }

    /// Takes the device over until `end`.
    ///
    /// - Parameter take: gets whatever happens, in order; must not block.
    func begin(_ take: @escaping @Sendable (TerminalInput) -> Void) throws(TerminalError)

    /// Shows what `Painter` gave.
    func write(_ bytes: [UInt8])

    /// Lets the user's shell come forward; `.overwritten` tells when this program is in front again.
    func suspend()

    /// Leaves the device as `begin` found it; nothing is handed over afterwards.
    func end()
}
