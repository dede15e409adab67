#if AsyncHTTPClient
    import AsyncHTTPClient
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import PouchNetwork

    extension NetworkError {
        init(_ error: any Error) {
            // Types and codes only: descriptions may contain the URL.
            switch error {
            case is CancellationError: self = .cancelled
            case let error as HTTPClientError: self.init(error)
            case is NIOConnectionError: self = .unreachable("no connection")
            case is NIOSSLError: self.init(tls: error)
            case is NIOSSLExtraError, is BoringSSLError: self = .untrusted("\(type(of: error))")
            case let error as IOError where error.errnoCode == ECONNREFUSED: self = .unreachable("ECONNREFUSED")
            case let error as IOError: self = .connectionLost("errno \(error.errnoCode)")
            case is ChannelError: self = .connectionLost("ChannelError")
            case HTTPParserError.invalidEOFState: self = .connectionLost("HTTPParserError.invalidEOFState")
            case is HTTPParserError: self = .failed("\(error)")
            case is CocoaError: self = .failed("the file to be sent cannot be read")
            default: self = .failed("\(type(of: error))")
            }
        }

        private init(_ error: HTTPClientError) {
            let text = "HTTPClientError.\(error.shortDescription)"
            switch error {
            case .cancelled, .requestStreamCancelled: self = .cancelled
            case .deadlineExceeded, .readTimeout, .writeTimeout: self = .timedOut
            case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout: self = .unreachable(text)
            case .remoteConnectionClosed: self = .connectionLost(text)
            default: self = .failed(text)
            }
        }

        private init(tls error: any Error) {
            switch error {
            case NIOSSLError.uncleanShutdown: self = .connectionLost("NIOSSLError.uncleanShutdown")
            default: self = .untrusted("NIOSSLError")
            }
        }
    }
#endif
