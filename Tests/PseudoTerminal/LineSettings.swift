import Foundation

/// How the kernel treats what passes through a terminal.
public struct LineSettings: Sendable, Equatable {
    private let flags: [UInt]
    private let characters: [UInt8]

    init(_ device: Int32) {
        var settings = termios()
        tcgetattr(device, &settings)
        flags = [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag].map { UInt($0) }
        characters = withUnsafeBytes(of: settings.c_cc) { Array($0) }
    }

    /// Whether each key goes to the program as it is pressed, without an echo.
    public var isRaw: Bool { flags[3] & UInt(ICANON | ECHO | ISIG) == 0 }
}
