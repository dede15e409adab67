import Foundation
import Synchronization

/// A bar on standard error while something long is going on; nothing where that is no terminal.
final class ProgressBar: Sendable {
    private static let width = 32

    private let label: String
    private let isVisible: Bool
    private let shown = Mutex(-1)

    init(_ label: String) {
        self.label = label
        isVisible = isatty(STDERR_FILENO) == 1
    }

    func show(_ done: Int, of total: Int, _ note: String = "") {
        guard isVisible, total > 0 else { return }
        let percent = min(100, done * 100 / total)
        let isNew = shown.withLock { shown in
            defer { shown = percent }
            return shown != percent
        }
        guard isNew else { return }
        let filled = percent * Self.width / 100
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        write("\r\u{1B}[K\(label) \(bar) \(percent) % \(note)")
    }

    /// Clears the line for what comes next.
    func end() {
        guard isVisible else { return }
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
