#if os(Linux)
    import CLibcurl
    import Foundation
    import PouchNetwork

    /// One request under way. Used by the loop's thread alone.
    final class CurlTransfer {
        // In bytes. At the backlog, libcurl stops reading until the reader catches up.
        private static let longestBacklog = 1 << 20
        private static let longestHead = 256 << 10
        private static let bufferSize = 64 << 10
        private static let errorSize = 256
        /// In milliseconds.
        private static let connectTimeout = 10_000

        let easy: UnsafeMutableRawPointer
        /// Ends once libcurl no longer runs the transfer.
        let exchange: ResponseExchange
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
                guard trust.apply(to: easy) else { throw .notSent("libcurl refused the certificates") }
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

        /// The result of a transfer that libcurl has ended.
        func result(_ code: Int32) -> Result<Void, NetworkError> {
            if code == 0 {
                return hasHead ? .success(()) : .failure(.connectionLost("the head of the response is incomplete"))
            }
            let error = NetworkError(curl: code, text: String(cString: errorText))
            // The server's alert after the handshake, with a body that the server does not read.
            if code == Self.receiveFailed, case .untrusted = error { return .failure(error) }
            // A reused connection was dead, and libcurl could not reconnect: the write may have arrived before.
            if error.meansNothingWasSent, body?.hasBegun == true {
                let log = "libcurl error \(code), \(Self.text(of: code)), after a kept connection"
                return .failure(.connectionLost(log))
            }
            return .failure(error)
        }

        /// CURLE_RECV_ERROR, also of a proxy that makes no tunnel.
        private static let receiveFailed: Int32 = 56

        /// Continues to receive and to send.
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
            // Otherwise libcurl waits for the name server before it removes a cancelled transfer, and delays all other
            // transfers. The result is ignored, because libcurl before 7.87 does not know the option.
            _ = libcurl_easy_set_long(easy, CurlOption.quickExit, 1)
            try set(CurlOption.connectTimeout, Self.connectTimeout)
            try set(CurlOption.bufferSize, Self.bufferSize)
            try set(CurlOption.errorText, errorText)
            // All encodings that libcurl can decompress.
            try set(CurlOption.acceptEncoding, "")
            if request.method == "HEAD" { try set(CurlOption.noBody, 1) }
            // libcurl sends a request again if a reused connection turns out to be dead, and then reports only the
            // second attempt. A write may have arrived with the first one: `RetryPolicy` decides. A body is not sent
            // again, because libcurl cannot go back to its start.
            if !request.isSafe, body?.size ?? 0 == 0 { try set(CurlOption.freshConnection, 1) }
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

        private static let noMemory = NetworkError.notSent("libcurl has no memory")

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

        /// The meaning of a CURLcode, such as "Could not connect to server". Never contains a host.
        static func text(of code: Int32) -> String {
            libcurl_easy_text(code).map { String(cString: $0) } ?? "no explanation"
        }

        private func check(_ code: Int32) throws(NetworkError) {
            guard code == 0 else { throw .notSent("libcurl refused an option: \(Self.text(of: code))") }
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
            // Fields after the body (RFC 9110, section 6.5) are ignored.
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
        static let protocols: Int32 = 181
        static let pathAsIs: Int32 = 234
        static let suppressesProxyHeads: Int32 = 265
        static let quickExit: Int32 = 322
        static let certificates: Int32 = 40_309
        static let writeFunction: Int32 = 20_011
        static let readFunction: Int32 = 20_012
        static let headerFunction: Int32 = 20_079
        static let progressFunction: Int32 = 20_219

        /// CURLMOPT_MAXCONNECTS: the maximum number of idle connections.
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
