#if TerminalPrograms
    import Foundation
    import PouchTerminal

    extension Refusal {
        init(_ error: TerminalError) {
            let (advice, status): (String, ExitStatus) =
                switch error {
                case .noTerminal:
                    ("In a pipe or a script use the other commands; `pouch --help` lists them.", .usage)
                case .cannotDraw:
                    (
                        "Set TERM to what it is, as in TERM=xterm, or use the other commands; `pouch --help` lists "
                            + "them.", .usage
                    )
                case .taken: ("Leave the other screen first.", .other)
                case .system: ("Try another one.", .other)
                }
            self.init(error.localizedDescription, advice, status)
        }
    }
#endif
