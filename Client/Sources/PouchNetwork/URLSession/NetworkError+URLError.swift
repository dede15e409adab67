import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension NetworkError {
    /// - Parameter hasHead: whether the head of an answer had arrived.
    init(_ error: any Error, hasHead: Bool) {
        guard let error = error as? URLError else {
            self = .failed(String(describing: type(of: error)))
            return
        }
        // The code and not the description, which would bring the URL with it.
        let text = "URLError \(error.code.rawValue)"
        switch error.code {
        case .cancelled: self = .cancelled
        case .timedOut: self = .timedOut
        case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
            .internationalRoamingOff, .dataNotAllowed:
            self = .unreachable(text)
        // On Linux a connection that closes without an answer is a bad one, and one that closes within the body unknown.
        case .networkConnectionLost, .badServerResponse: self = .connectionLost(text)
        case .unknown where hasHead: self = .connectionLost(text)
        case .unknown where error.isOfTLS: self = .untrusted(text)
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            self = .untrusted(text)
        default: self = .failed(text)
        }
    }
}

extension URLError {
    /// On Linux only libcurl's text tells that the other side could not prove who it is.
    fileprivate var isOfTLS: Bool {
        ["SSL", "TLS", "certificate"].contains { localizedDescription.contains($0) }
    }
}
