#if TerminalPrograms
    import Foundation
    import PouchTerminal

    /// Where text goes: a terminal, which gets colours and aligned columns, or a pipe, which gets neither.
    struct Screen {
        let descriptor: Int32
        let isTerminal: Bool
        let isStyled: Bool

        init(_ descriptor: Int32, environment: [String: String] = ProcessInfo.processInfo.environment) {
            self.descriptor = descriptor
            isTerminal = isatty(descriptor) == 1
            // https://no-color.org
            let wantsColour = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
            isStyled = isTerminal && wantsColour
        }

        func show(_ blocks: [Block]) {
            let lines = blocks.flatMap { block in
                switch block {
                case .line(let text): [isStyled ? text.rendered : text.plain]
                case .table(let table): isTerminal ? table.aligned(styled: isStyled) : table.separated()
                }
            }
            write(lines.map { $0 + "\n" }.joined())
        }

        func write(_ text: String) {
            write(Data(text.utf8))
        }

        /// What cannot be written is lost: nobody is there to read it.
        func write(_ data: Data) {
            try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: data)
        }
    }
#endif
