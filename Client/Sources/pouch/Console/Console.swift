#if TerminalPrograms
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    /// A part of the output of a command.
    enum Output {
        case line(StyledText)
        /// Aligned under a header on a terminal; separated by tabs, without the header, in a pipe.
        case table([Column], [[StyledText]])

        static let blank = Output.line("")

        /// A column of a table: `"NAME"`, `.number("QTY")`, which is aligned on the right, `.text("NOTE")`, which is
        /// cut off where the table would be wider than the terminal, or `.piped("ID")`, which only scripts receive.
        struct Column: ExpressibleByStringLiteral {
            enum Kind {
                case plain, number, text, piped
            }

            let title: String
            let kind: Kind

            init(_ title: String, _ kind: Kind = .plain) {
                self.title = title
                self.kind = kind
            }

            init(stringLiteral title: String) {
                self.init(title)
            }

            static func number(_ title: String) -> Column { Column(title, .number) }
            static func text(_ title: String) -> Column { Column(title, .text) }
            static func piped(_ title: String) -> Column { Column(title, .piped) }
        }
    }

    extension [Output] {
        /// A table with a row for each item, or the text if there are none.
        static func list<Item>(_ items: [Item], orElse none: StyledText, _ fields: [Field<Item>]) -> [Output] {
            items.isEmpty ? [.line(none)] : [.table(of: items, fields)]
        }

        /// A line for each fact that has a value.
        static func facts(_ facts: [(name: String, value: (any Cell)?)]) -> [Output] {
            facts.compactMap { name, value in
                guard let value = value?.styled, !value.isEmpty else { return nil }
                return .line(StyledText("\(name): ", .dim) + value)
            }
        }
    }

    extension Output {
        /// A table with a row for each item.
        static func table<Item>(of items: [Item], _ fields: [Field<Item>]) -> Output {
            .table(fields.map(\.column), items.map { item in fields.map { $0.text(item) } })
        }
    }

    /// A column of a table, with its cell for each item.
    struct Field<Item> {
        let column: Output.Column
        let text: (Item) -> StyledText

        init<Value: Cell>(_ column: Output.Column, _ value: @escaping (Item) -> Value) {
            self.init(column, .plain, value)
        }

        init<Value: Cell>(_ column: Output.Column, _ style: Style, _ value: @escaping (Item) -> Value) {
            self.column = column
            text = { value($0).styled.adding(style) }
        }
    }

    /// A value that the program prints.
    protocol Cell {
        var styled: StyledText { get }
    }

    extension StyledText: Cell {
        var styled: StyledText { self }
    }

    extension String: Cell {
        var styled: StyledText { StyledText(self) }
    }

    extension Int: Cell {
        var styled: StyledText { StyledText(String(self)) }
    }

    extension Date: Cell {
        var styled: StyledText { StyledText(time: self) }
    }

    extension Money: Cell {
        var styled: StyledText { StyledText(self) }
    }

    extension OrderStatus: Cell {
        var styled: StyledText { StyledText(self) }
    }

    extension Optional: Cell where Wrapped: Cell {
        var styled: StyledText { self?.styled ?? "" }
    }

    /// Standard output or standard error. A terminal gets colours and aligned columns, a pipe gets neither.
    struct Console {
        let isTerminal: Bool
        private let descriptor: Int32
        private let isStyled: Bool

        init(_ descriptor: Int32) {
            let environment = ProcessInfo.processInfo.environment
            self.descriptor = descriptor
            isTerminal = isatty(descriptor) == 1
            // https://no-color.org
            let wantsColors = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
            isStyled = isTerminal && wantsColors
        }

        func print(_ output: [Output]) {
            let lines = output.flatMap { part in
                switch part {
                case .line(let text): [string(text)]
                case .table(let columns, let rows): isTerminal ? aligned(columns, rows) : separated(rows)
                }
            }
            write(lines.map { $0 + "\n" }.joined())
        }

        func write(_ text: String) {
            write(Data(text.utf8))
        }

        /// Writes data. If the reader has closed the pipe, the data is lost.
        func write(_ data: Data) {
            try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: data)
        }

        private func aligned(_ columns: [Output.Column], _ rows: [[StyledText]]) -> [String] {
            let shown = columns.indices.filter { columns[$0].kind != .piped }
            let (columns, rows) = (shown.map { columns[$0] }, rows.map { row in shown.map { row[$0] } })
            let hasHeader = columns.contains { !$0.title.isEmpty }
            let lines = (hasHeader ? [columns.map { StyledText($0.title, .dim) }] : []) + rows
            let widths = fitting(
                columns.indices.map { column in lines.map { $0[column].columns }.max() ?? 0 }, columns)
            return lines.map { cells in
                let cells = zip(cells, widths).map { $0.truncated(to: $1) }
                let padded = zip(columns, zip(cells, widths)).map { column, cell in
                    let padding = String(repeating: " ", count: cell.1 - cell.0.columns)
                    return column.kind == .number ? padding + string(cell.0) : string(cell.0) + padding
                }
                let line = padded.joined(separator: "  ")
                return String(line.reversed().drop { $0 == " " }.reversed())
            }
        }

        /// The widths, with the widest flexible columns narrowed until the table fits the terminal, but not below 8.
        private func fitting(_ widths: [Int], _ columns: [Output.Column]) -> [Int] {
            var widths = widths
            let gaps = 2 * max(0, widths.count - 1)
            var excess = widths.reduce(gaps, +) - (Terminal.size(of: descriptor)?.columns ?? .max)
            while excess > 0 {
                let flexible = widths.indices.filter { columns[$0].kind == .text && widths[$0] > 8 }
                guard let maxWidth = flexible.max(by: { widths[$0] < widths[$1] }) else { break }
                widths[maxWidth] -= 1
                excess -= 1
            }
            return widths
        }

        private func separated(_ rows: [[StyledText]]) -> [String] {
            rows.map { cells in cells.map(\.plain).joined(separator: "\t") }
        }

        private func string(_ text: StyledText) -> String { isStyled ? text.rendered : text.plain }
    }
#endif
