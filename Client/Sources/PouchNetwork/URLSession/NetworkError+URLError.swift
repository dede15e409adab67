import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension NetworkError {
    init(_ error: any Error) {
        guard let error = error as? URLError else {
            self = .failed(String(describing: type(of: error)))
            return
        }
        // The code and not the description, which would bring the URL with it.
        let text = "URLError \(error.code.rawValue)"
        switch error.code {
        case .cancelled: self = .cancelled
        case .timedOut: self = .timedOut
        case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .networkConnectionLost,
            .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed:
            self = .unreachable(text)
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            self = .untrusted(text)
        default: self = .failed(text)
        }
    }
}
