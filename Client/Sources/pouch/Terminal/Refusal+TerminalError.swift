#if TerminalPrograms
    import Foundation
    import PouchTerminal

    extension Refusal {
        init(_ error: TerminalError) {
            switch error {
            case .noTerminal:
                self.init(
                    "This needs a terminal for its input and its output.",
                    "In a pipe or a script use the other commands; `pouch --help` lists them.", .usage)
            case .cannotDraw(let term):
                self.init(
                    term.isEmpty
                        ? "TERM does not say what kind of terminal this is."
                        : "A terminal of the kind \(term) cannot be drawn on.",
                    "Set TERM to what it is, as in TERM=xterm, or use the other commands; `pouch --help` lists them.",
                    .usage)
            case .taken: self.init("The terminal is in use already.", "Leave the other screen first.", .other)
            case .system(let number):
                self.init(
                    "The terminal does not answer: \(String(cString: strerror(number))).", "Try another one.", .other)
            }
        }
    }
#endif
