#if TerminalPrograms
    import Foundation
    import PouchClient
    import PouchTerminal

    /// Prints a line to standard error for each request that ended. Its columns have fixed widths, because each line is
    /// printed before the next one is known. Reports contain no secrets, and so neither do the lines.
    struct Trace {
        private static let columns: [(title: String, width: Int, isNumber: Bool)] = [
            ("STATUS", 11, false), ("QUEUE", 9, true), ("HEAD", 9, true), ("TOTAL", 9, true), ("TRIES", 5, true),
            ("SENT", 8, true), ("RECEIVED", 8, true), ("REQUEST ID", 32, false), ("REQUEST", 0, false),
        ]

        private let console: Console
        private let server: String

        /// Prints the header of the columns.
        ///
        /// - Parameter server: left out of the URLs of its requests.
        init(_ console: Console, server: URL) {
            self.console = console
            self.server =
                server.absoluteString.hasSuffix("/")
                ? String(server.absoluteString.dropLast()) : server.absoluteString
            print(Self.columns.map(\.title), .dim)
        }

        @Sendable func print(_ report: NetworkReport) {
            let earlier = report.attempts.dropLast().map { Self.text($0.outcome) }
            let isOfServer = report.url.hasPrefix(server + "/")
            let request = "\(report.method) \(isOfServer ? report.url.dropFirst(server.count) : report.url[...])"
            let isFailed = report.error != nil || (report.status ?? 0) >= 400
            print(
                [
                    report.error.map(Self.text) ?? report.status.map(String.init) ?? "-",
                    Self.text(report.timeInQueue), report.timeToHead.map(Self.text) ?? "-", Self.text(report.duration),
                    String(report.attempts.count), Self.text(report.sentBytes),
                    Self.text(Int64(report.receivedBytes)), report.requestId ?? "-",
                    earlier.isEmpty ? request : request + " (after " + earlier.joined(separator: ", ") + ")",
                ], isFailed ? .red : .plain)
        }

        private func print(_ cells: [String], _ style: Style) {
            let padded = zip(Self.columns, cells).map { column, cell in
                // An id comes from the server, and must not control the terminal.
                let text = String(
                    String.UnicodeScalarView(cell.unicodeScalars.filter { (0x20..<0x7F).contains($0.value) }))
                let padding = String(repeating: " ", count: max(0, column.width - text.count))
                return column.isNumber ? padding + text : text + padding
            }
            console.print([.line(StyledText("trace  " + padded.joined(separator: "  "), style))])
        }

        private static func text(_ bytes: Int64) -> String {
            switch bytes {
            case ..<1_000: "\(bytes) B"
            case ..<1_000_000: String(format: "%.1f kB", Double(bytes) / 1_000)
            default: String(format: "%.1f MB", Double(bytes) / 1_000_000)
            }
        }

        private static func text(_ time: Duration) -> String {
            let milliseconds = time / .milliseconds(1)
            return String(format: milliseconds < 10_000 ? "%.1f ms" : "%.0f ms", milliseconds)
        }

        private static func text(_ outcome: NetworkAttempt.Outcome?) -> String {
            switch outcome {
            case .answered(let status): String(status)
            case .failed(let error): text(error)
            case nil: "cancelled"
            }
        }

        private static func text(_ error: NetworkError) -> String {
            switch error {
            case .cancelled: "cancelled"
            case .timedOut: "timed out"
            case .unreachable: "unreachable"
            case .connectionLost: "lost"
            case .untrusted: "untrusted"
            case .noTLS: "no TLS"
            case .noHTTP: "no HTTP"
            case .invalidAddress: "bad address"
            case .tooLarge: "too large"
            case .tooManyRedirects: "redirects"
            case .unaccepted(let status): String(status)
            case .notSent: "not sent"
            case .failed: "failed"
            }
        }
    }
#endif
