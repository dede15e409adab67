#if os(Linux)
    import CLibcurl
    import Foundation
    import PouchNetwork

    /// One request under way. Used by the loop's thread alone.
    final class CurlTransfer {
        /// The backlog at which libcurl stops reading until the reader catches up.
        private static let longestBacklog = 1 << 20
        private static let longestHead = 256 << 10
        /// In milliseconds.
        private static let connectTimeout = 10_000
        private static let bufferSize = 64 << 10
        private static let errorSize = 256

        let easy: UnsafeMutableRawPointer
        private let exchange: ResponseExchange
        private let body: CurlBody?
        private let errorText: UnsafeMutablePointer<CChar>
        private var fields: UnsafeMutableRawPointer?
        private var head = CurlHead()
        private var hasHead = false

        /// - Parameter file: the file that the request sends, if any.
        /// - Returns: nil if the exchange was cancelled or could not start; the error has been reported.
        init?(_ request: NetworkRequest, _ file: FileAhead?, _ trust: CurlTrust, _ exchange: ResponseExchange) {
            guard !exchange.hasEnded else { return nil }
            guard let easy = libcurl_easy_init() else {
                exchange.end(.failure(Self.noMemory))
                return nil
            }
            self.easy = easy
            self.exchange = exchange
            body = CurlBody(request, file)
            errorText = .allocate(capacity: Self.errorSize)
            errorText.initialize(repeating: 0, count: Self.errorSize)
            do throws(NetworkError) {
                guard trust.apply(to: easy) else { throw .failed("libcurl refused the certificates") }
                try setUp(request)
                try setUpResponse()
                if let body { try setUp(body) }
            } catch {
                exchange.end(.failure(error))
                return nil
            }
        }

        deinit {
            libcurl_easy_cleanup(easy)
            libcurl_list_free(fields)
            errorText.deallocate()
        }

        /// Ends the exchange of a transfer that libcurl no longer runs.
        func end(_ result: Result<Void, NetworkError>) {
            exchange.end(result)
        }

        /// The result of a transfer that libcurl has ended.
        func result(_ code: Int32) -> Result<Void, NetworkError> {
            if code == 0 {
                return hasHead ? .success(()) : .failure(.connectionLost("the head of the response is incomplete"))
            }
            return .failure(NetworkError(curl: code, text: String(cString: errorText)))
        }

        /// Continues to read.
        func resume() {
            libcurl_easy_pause(easy, CurlOption.continueAll)
        }

        // MARK: - Options

        private func setUp(_ request: NetworkRequest) throws(NetworkError) {
            try set(CurlOption.url, request.url.absoluteString)
            try set(CurlOption.method, request.method)
            try set(CurlOption.pathAsIs, 1)
            try set(CurlOption.protocols, CurlOption.httpAndHTTPS)
            try set(CurlOption.httpVersion, CurlOption.http11)
            try set(CurlOption.noSignal, 1)
            // Otherwise libcurl waits for the name server before it removes a cancelled transfer, and all other
            // transfers wait with it. The result does not count: libcurl before 7.87 does not know the option.
            _ = libcurl_easy_set_long(easy, CurlOption.quickExit, 1)
            try set(CurlOption.connectTimeout, Self.connectTimeout)
            try set(CurlOption.bufferSize, Self.bufferSize)
            try set(CurlOption.errorText, errorText)
            // All encodings that libcurl can expand.
            try set(CurlOption.acceptEncoding, "")
            if request.method == "HEAD" { try set(CurlOption.noBody, 1) }
            // libcurl sends a request again if a kept connection turns out to be dead.
            if !request.isRepeatable, body?.size ?? 0 == 0 { try set(CurlOption.freshConnection, 1) }
            // A name alone removes a field that libcurl would add; one with a semicolon has an empty value.
            var lines = ["Expect:"]
            if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
            lines += request.headers.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
            for line in lines {
                guard let longer = libcurl_list_append(fields, line) else { throw Self.noMemory }
                fields = longer
            }
            try set(CurlOption.headerFields, fields)
        }

        private func setUp(_ body: CurlBody) throws(NetworkError) {
            let this = Unmanaged.passUnretained(body).toOpaque()
            try set(CurlOption.hasBody, 1)
            try check(libcurl_easy_set_offset(easy, CurlOption.bodySize, body.size))
            try set(CurlOption.readData, this)
            try set(CurlOption.readFunction, unsafeBitCast(CurlBody.read, to: UnsafeRawPointer.self))
            try set(CurlOption.seekData, this)
            try set(CurlOption.seekFunction, unsafeBitCast(CurlBody.seek, to: UnsafeRawPointer.self))
            guard body.reportsProgress else { return }
            try set(CurlOption.noProgress, 0)
            try set(CurlOption.progressData, this)
            try set(CurlOption.progressFunction, unsafeBitCast(CurlBody.progress, to: UnsafeRawPointer.self))
        }

        private func setUpResponse() throws(NetworkError) {
            let this = Unmanaged.passUnretained(self).toOpaque()
            try set(CurlOption.suppressesProxyHeads, 1)
            try set(CurlOption.headerData, this)
            try set(CurlOption.headerFunction, unsafeBitCast(Self.header, to: UnsafeRawPointer.self))
            try set(CurlOption.writeData, this)
            try set(CurlOption.writeFunction, unsafeBitCast(Self.write, to: UnsafeRawPointer.self))
        }

        private static let noMemory = NetworkError.failed("libcurl has no memory")

        private func set(_ option: Int32, _ value: Int) throws(NetworkError) {
            try check(libcurl_easy_set_long(easy, option, value))
        }

        /// libcurl copies the text.
        private func set(_ option: Int32, _ value: String) throws(NetworkError) {
            try check(libcurl_easy_set_pointer(easy, option, value))
        }

        private func set(_ option: Int32, _ value: UnsafeRawPointer?) throws(NetworkError) {
            try check(libcurl_easy_set_pointer(easy, option, value))
        }

        private func check(_ code: Int32) throws(NetworkError) {
            guard code == 0 else { throw .failed("libcurl refused an option with error \(code)") }
        }

        // MARK: - Calls from libcurl

        private typealias Receive =
            @convention(c) (UnsafePointer<UInt8>?, Int, Int, UnsafeMutableRawPointer?) -> Int

        private static let header: Receive = { bytes, size, count, this in
            guard let bytes, let this else { return 0 }
            let line = UnsafeBufferPointer(start: bytes, count: size * count)
            let isKept = Unmanaged<CurlTransfer>.fromOpaque(this).takeUnretainedValue().received(line: line)
            return isKept ? size * count : 0
        }

        private static let write: Receive = { bytes, size, count, this in
            guard let bytes, let this else { return 0 }
            let exchange = Unmanaged<CurlTransfer>.fromOpaque(this).takeUnretainedValue().exchange
            guard exchange.hasRoom(upTo: longestBacklog) else { return CurlOption.pause }
            exchange.received(Data(bytes: bytes, count: size * count))
            return size * count
        }

        /// - Returns: false to end the transfer, because the head is too long.
        private func received(line: UnsafeBufferPointer<UInt8>) -> Bool {
            // Fields after the body (RFC 9110, section 6.5) do not count.
            guard !hasHead else { return true }
            guard !line.elementsEqual("\r\n".utf8), !line.elementsEqual("\n".utf8) else {
                var status = 0
                libcurl_easy_get_long(easy, CurlOption.status, &status)
                // Informational responses precede the response (RFC 9110, section 15.2).
                guard status >= 200 else { return true }
                hasHead = true
                let headers = HeaderFields(head.fields)
                exchange.received((status, headers), length: headers["Content-Length"].flatMap { Int64($0) })
                head = CurlHead()
                return true
            }
            if line.starts(with: "HTTP/".utf8) { head = CurlHead() } else { head.append(line) }
            return head.size <= Self.longestHead
        }
    }

    /// The fields of a head, from the lines as libcurl splits them: at line feeds alone. Swift's other line breaks,
    /// such as U+2028, are part of a value: a server that repeats a text would otherwise let its author add fields.
    private struct CurlHead {
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

        /// Text without the space around it.
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
        ///   - text: libcurl's explanation. It may contain the host, so that it does not become part of the error.
        fileprivate init(curl code: Int32, text: String) {
            let log = "libcurl error \(code)"
            switch code {
            // The first bytes are not those of a status line.
            case 1: self = .noHTTP(log)
            // Nothing but the connect timeout is set.
            case 5, 6, 7, 28: self = .unreachable(log)
            // libcurl writes CONNECT only of a proxy that made no tunnel to the server, and then without a host.
            case 56 where text.contains("CONNECT"): self = .unreachable("the proxy makes no tunnel: \(text)")
            // With TLS 1.3, the server's alert follows the handshake.
            case 56 where text.contains("alert certificate required"): self = .untrusted(log)
            case 18, 52, 55, 56, 65: self = .connectionLost(log)
            case 23: self = .failed("the head of the response is too long")
            case 42: self = CurlBody.unreadableFile
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

    /// The numbers of libcurl's binary interface.
    enum CurlOption {
        static let writeData: Int32 = 10_001
        static let url: Int32 = 10_002
        static let readData: Int32 = 10_009
        static let errorText: Int32 = 10_010
        static let headerFields: Int32 = 10_023
        static let headerData: Int32 = 10_029
        static let method: Int32 = 10_036
        static let noProgress: Int32 = 43
        static let noBody: Int32 = 44
        static let hasBody: Int32 = 47
        static let progressData: Int32 = 10_057
        static let freshConnection: Int32 = 74
        static let httpVersion: Int32 = 84
        static let certificateFolder: Int32 = 10_097
        static let bufferSize: Int32 = 98
        static let noSignal: Int32 = 99
        static let acceptEncoding: Int32 = 10_102
        static let bodySize: Int32 = 30_120
        static let connectTimeout: Int32 = 156
        static let seekData: Int32 = 10_168
        static let protocols: Int32 = 181
        static let pathAsIs: Int32 = 234
        static let suppressesProxyHeads: Int32 = 265
        static let quickExit: Int32 = 322
        static let certificates: Int32 = 40_309
        static let writeFunction: Int32 = 20_011
        static let readFunction: Int32 = 20_012
        static let headerFunction: Int32 = 20_079
        static let seekFunction: Int32 = 20_167
        static let progressFunction: Int32 = 20_219

        /// CURLMOPT_MAXCONNECTS: the most idle connections that are kept.
        static let maxConnections: Int32 = 6

        /// A value that a transfer reports.
        static let status: Int32 = 0x20_0002

        // Values.
        static let httpAndHTTPS = 3
        static let http11 = 2
        static let continueAll: Int32 = 0
        static let pause = 0x1000_0001
        static let abort = 0x1000_0000
    }
#endif
