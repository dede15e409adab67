import Foundation
import Logging
import PouchJSON
import Synchronization

/// Writes each log entry as one line: as text for people, or as a JSON object for programs.
///
///     2026-11-26T08:49:10.205Z info request agent="shop 1" client=192.0.2.7 ms=1.73 path=/v1/cart status=200
///     {"agent":"shop 1","client":"192.0.2.7","level":"info","message":"request","ms":1.73,"path":"/v1/cart",…}
///
/// Metadata follows in the order of its names. In JSON, whole numbers and fractions are numbers, everything else is
/// text, and `time`, `level` and `message` are members like the others. No character of a text can end a line or
/// control a terminal.
public struct LineLog: LogHandler {
    public enum Format: String, Sendable, CaseIterable {
        case text
        case json
    }

    private typealias Member = (key: String, value: Logger.MetadataValue)

    private static let reserved: Set<String> = ["level", "message", "time"]

    public var logLevel = Logger.Level.info
    public var metadata = Logger.Metadata()
    public var metadataProvider: Logger.MetadataProvider?
    private let format: Format
    private let write: @Sendable (Data) -> Void

    /// - Parameter write: receives each line with its line feed, from any thread.
    public init(_ format: Format, write: @escaping @Sendable (Data) -> Void) {
        self.format = format
        self.write = write
    }

    /// A log that writes to standard error.
    public static func standardError(_ format: Format) -> LineLog {
        LineLog(format) { line in
            // One call for each line, so that lines from several threads do not mix.
            line.withUnsafeBytes { bytes in
                var sent = 0
                while sent < bytes.count {
                    let count = Foundation.write(STDERR_FILENO, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
                    guard count > 0 || errno == EINTR else { return }
                    sent += max(0, count)
                }
            }
        }
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var members: [Member] = []
        members.reserveCapacity(metadata.count + (event.metadata?.count ?? 0) + 2)
        for (key, value) in metadata where event.metadata?[key] == nil { members.append((key, value)) }
        for (key, value) in event.metadata ?? [:] { members.append((key, value)) }
        for (key, value) in metadataProvider?.get() ?? [:] where !members.contains(where: { $0.key == key }) {
            members.append((key, value))
        }
        let line =
            switch format {
            case .text: Self.text(event, members)
            case .json: Self.json(event, members)
            }
        guard var line else { return }
        line.append(UInt8(ascii: "\n"))
        write(line)
    }

    private static func text(_ event: LogEvent, _ members: [Member]) -> Data? {
        var line = WireTime.text(Date())
        line += " "
        line += event.level.rawValue
        line += " "
        line += String(loggable: event.message.description, limit: messageLimit)
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            line += " "
            line += String(loggable: key, limit: keyLimit)
            line += "="
            guard let text = value.text else { return nil }
            line += text
        }
        return Data(line.utf8)
    }

    private static func json(_ event: LogEvent, _ members: [Member]) -> Data? {
        var members = members
        for place in members.indices where reserved.contains(members[place].key) { members[place].key += "_" }
        members.append(("level", .string(event.level.rawValue)))
        members.append(("message", .string(event.message.description)))
        members.sort { $0.key < $1.key }
        var writer = JSONWriter()
        writer.object { writer in
            for (key, value) in members {
                writer.key(String(loggable: key, limit: keyLimit))
                writer.log(value)
            }
            writer.key("time")
            writer.time(Date())
        }
        return try? writer.finish()
    }
}

private let keyLimit = 100
private let messageLimit = 4_000

extension Logger.MetadataValue {
    /// The text itself if it is one word, otherwise as JSON, so that no value looks like the next metadata.
    fileprivate var text: String? {
        switch self {
        case .string(let text) where text.isOneWord: return text
        case .stringConvertible(let value as Int): return value.description
        default: break
        }
        var writer = JSONWriter()
        writer.log(self)
        return (try? writer.finish()).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension JSONWriter {
    fileprivate mutating func log(_ value: Logger.MetadataValue) {
        switch value {
        case .string(let text): self.text(String(loggable: text, limit: messageLimit))
        case .stringConvertible(let value as Int): integer(Int64(value))
        case .stringConvertible(let value as Double) where value.isFinite: number(value)
        case .stringConvertible(let value): text(String(loggable: value.description, limit: messageLimit))
        case .array(let values): list(of: values) { $1.log($0) }
        case .dictionary(let values):
            object { writer in
                for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                    writer.key(String(loggable: key, limit: keyLimit))
                    writer.log(value)
                }
            }
        }
    }
}

extension String {
    /// Whether it has from 1 to 200 visible ASCII characters and no quotation mark.
    fileprivate var isOneWord: Bool {
        (1...200).contains(utf8.count) && utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }
    }
}

extension String {
    /// Makes a client's text safe for a log: one line, without characters that could control a terminal, and at most
    /// `limit` characters, followed by an ellipsis if the text was longer.
    public init(loggable text: String, limit: Int) {
        if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
            self = text
            return
        }
        let scalars = text.unicodeScalars.prefix(limit).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .surrogate,
                .unassigned:
                " " as Unicode.Scalar
            default: scalar
            }
        }
        self = String(String.UnicodeScalarView(scalars)) + (scalars.count < text.unicodeScalars.count ? "…" : "")
    }
}
