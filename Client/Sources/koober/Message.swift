#if TerminalPrograms
    import Foundation

    /// What the program itself has to say, on standard error.
    enum Message {
        static func write(_ text: String) {
            FileHandle.standardError.write(Data((text + "\n").utf8))
        }
    }
#endif
