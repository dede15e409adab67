import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// Tells requests that surely never left from those that may have arrived.
enum UnsentRequest {
    /// - Returns: whether the error came while there was no connection yet.
    static func isSure(_ error: any Error) -> Bool {
        switch error {
        case is NIOConnectionError, is NIOSSLExtraError: true
        case NIOSSLError.handshakeFailed: true
        case let error as IOError: [ECONNREFUSED, EADDRNOTAVAIL, EMFILE, ENFILE].contains(error.errnoCode)
        case let error as HTTPClientError:
            [.connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout, .alreadyShutdown].contains(error)
        default: false
        }
    }
}
