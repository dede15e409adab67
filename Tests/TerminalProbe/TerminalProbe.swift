import Foundation
import PouchTerminal
import ToolArguments

/// Shows the pressed keys, and ends in the manner of the last one; with `hidden`, asks for a hidden line.
@main
@MainActor
final class TerminalProbe: TerminalContent {
    let minimumSize = TerminalSize(columns: 20, rows: 4)
    private let loop: TerminalLoop
    private var keys: [Key] = []

    private init(_ loop: TerminalLoop) {
        self.loop = loop
    }

    static func main() async {
        var arguments = ToolArguments.read(
            help: """
                usage: terminal-probe [hidden]

                Shows the pressed keys, and ends in the manner of the last one; with `hidden`, asks for a hidden line.
                """, words: 0...1)
        let isHidden = arguments.takeFirst("hidden")
        _ = ToolArguments.accepting { () throws(ToolArguments.Refusal) in try arguments.numbers(atMost: 0) }
        print("before")
        do {
            if isHidden {
                let line = try HiddenLine.read("Password: ")
                return print(line.map { "\($0.count) characters" } ?? "given up")
            }
            let loop = TerminalLoop(try Terminal())
            let end = try await loop.run(TerminalProbe(loop))
            print("ended: \(end)")
        } catch {
            print("error: \(error)")
            exit(1)
        }
    }

    func draw(on canvas: inout Canvas) {
        canvas.write("\(canvas.size.columns) by \(canvas.size.rows)", x: 0, y: 0)
        Paragraph("keys: \(keys.map { "\($0)" }.joined(separator: " "))", .color(.green)).draw(
            on: &canvas, in: canvas.area.split(top: 1).1)
        canvas.write("last row", x: canvas.size.columns - 8, y: canvas.size.rows - 1)
    }

    func press(_ key: Key) {
        keys.append(key)
        switch key {
        case .character("q"): loop.stop()
        case .character("T"): fatalError("as asked for")
        case .character("A"): abort()
        case .character("S"): UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
        case .character("E"): exit(3)
        default: break
        }
    }
}
