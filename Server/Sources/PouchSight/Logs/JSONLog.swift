import Foundation
import Logging
import PouchJSON
import Synchronization

/// Writes each entry of the log as one line of JSON: `time`, `level`, `message`, and a member for each piece of metadata.
///
///     {"client":"192.0.2.7","level":"info","message":"request","ms":1.73,"path":"/v1/cart","status":200,"time":"…"}
///
/// Whole numbers and fractions in the metadata are numbers of JSON, everything else is text. No character of a text can
/// end a line or steer a terminal.
public struct JSONLog: LogHandler {
    private static let reserved: Set<String> = ["level", "message", "time"]

    public var logLevel = Logger.Level.info
    public var metadata = Logger.Metadata()
    public var metadataProvider: Logger.MetadataProvider?
    private let write: @Sendable (Data) -> Void

    /// - Parameter write: gets each line with its line feed, from any thread.
    public init(write: @escaping @Sendable (Data) -> Void) {
        self.write = write
    }

    /// A log on standard error.
    public static func standardError() -> JSONLog {
        JSONLog { line in
            // One call for each line, so that lines of several threads do not mix.
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
        var members: [(key: String, value: Logger.MetadataValue)] = []
        members.reserveCapacity(metadata.count + (event.metadata?.count ?? 0) + 3)
        for (key, value) in metadata where event.metadata?[key] == nil { members.append((key, value)) }
        for (key, value) in event.metadata ?? [:] { members.append((key, value)) }
        for (key, value) in metadataProvider?.get() ?? [:] where !members.contains(where: { $0.key == key }) {
            members.append((key, value))
        }
        for place in members.indices where Self.reserved.contains(members[place].key) { members[place].key += "_" }
        members.append(("level", .string(event.level.rawValue)))
        members.append(("message", .string(event.message.description)))
        members.sort { $0.key < $1.key }
        var writer = JSONWriter()
        writer.object { writer in
            for (key, value) in members {
                writer.key(String(loggable: key, limit: 100))
                writer.log(value)
            }
            writer.key("time")
            writer.time(Date())
        }
        guard var line = try? writer.finish() else { return }
        line.append(UInt8(ascii: "\n"))
        write(line)
    }
}

extension JSONWriter {
    fileprivate mutating func log(_ value: Logger.MetadataValue) {
        switch value {
        case .string(let text): self.text(String(loggable: text, limit: 4_000))
        case .stringConvertible(let value as Int): integer(Int64(value))
        case .stringConvertible(let value as Double) where value.isFinite: number(value)
        case .stringConvertible(let value): text(String(loggable: value.description, limit: 4_000))
        case .array(let values): list(of: values) { $1.log($0) }
        case .dictionary(let values):
            object { writer in
                for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                    writer.key(String(loggable: key, limit: 100))
                    writer.log(value)
                }
            }
        }
    }
}

extension String {
    /// Makes a client's text safe for a log: one line, without characters that could steer a terminal, and at most
    /// `limit` characters, which an ellipsis follows if the text was longer.
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
