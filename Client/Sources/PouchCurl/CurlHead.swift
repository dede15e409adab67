#if os(Linux)
    import PouchNetwork

    /// The fields of a head, from the lines as libcurl splits them: at line feeds alone. Swift's other line breaks,
    /// such as U+2028, are part of a value: a server that repeats a text would otherwise let its author add fields.
    struct CurlHead {
        private(set) var fields: [HeaderFields.Field] = []
        /// In bytes, without the status line.
        private(set) var size = 0

        mutating func append(_ line: UnsafeBufferPointer<UInt8>) {
            size += line.count
            // RFC 9110, section 5.5.
            let text = line.map { [0, UInt8(ascii: "\r"), UInt8(ascii: "\n")].contains($0) ? UInt8(ascii: " ") : $0 }
            if let first = text.first, Self.isSpace(first), let last = fields.popLast() {
                // An obsolete line break within a value (RFC 9112, section 5.2).
                fields.append(HeaderFields.Field(name: last.name, value: last.value + " " + Self.value(text[...])))
            } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
                let name = String(decoding: text[..<colon], as: UTF8.self)
                fields.append(HeaderFields.Field(name: name, value: Self.value(text[(colon + 1)...])))
            }
        }

        /// The text without surrounding whitespace.
        private static func value(_ text: ArraySlice<UInt8>) -> String {
            let start = text.drop(while: isSpace)
            let end = start.lastIndex { !isSpace($0) }
            return String(decoding: start[..<(end.map { $0 + 1 } ?? start.startIndex)], as: UTF8.self)
        }

        private static func isSpace(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
        }
    }

    extension NetworkError {
        /// - Parameters:
        ///   - code: a CURLcode other than 0.
        ///   - text: libcurl's explanation. It may contain the host, so it is left out of the error, except for that of
        ///     a proxy without a tunnel, which never does.
        init(curl code: Int32, text: String) {
            let log = "libcurl error \(code), \(CurlTransfer.text(of: code))"
            switch code {
            // The first bytes are not those of a status line.
            case 1: self = .noHTTP(log)
            // Nothing but the connect timeout is set.
            case 5, 6, 7, 28, 97: self = .unreachable(log)
            // libcurl mentions CONNECT only for a proxy that did not make a tunnel to the server, and then without a
            // host.
            case 56 where text.contains("CONNECT"): self = .unreachable("the proxy makes no tunnel: \(text)")
            // With TLS 1.3, the server's alert follows the handshake.
            case 56 where text.contains("alert certificate required"): self = .untrusted(log)
            case 18, 52, 55, 56, 65: self = .connectionLost(log)
            case 23: self = .failed("the head of the response is too long")
            case 42: self = .failed("the file to be sent cannot be read")
            case 35
            where ["wrong version number", "packet length too long", "http request"].contains { text.contains($0) }:
                self = .noTLS(log)
            // The connection ended within the handshake, before the request.
            case 35 where ["SSL_ERROR_SYSCALL", "unexpected eof", " failure: "].contains { text.contains($0) }:
                self = .unreachable(log)
            // An alert: the server accepts no cipher, or not the client.
            case 35: self = .untrusted(log)
            case 58, 59, 60, 66, 77, 82, 83, 90, 91, 98: self = .untrusted(log)
            default: self = .failed(log)
            }
        }
    }
#endif
