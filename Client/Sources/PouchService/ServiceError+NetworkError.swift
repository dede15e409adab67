import PouchNetwork

extension ServiceError.Reason {
    init(_ error: NetworkError) {
        switch error {
        case .cancelled: self = .cancelled
        case .timedOut: self = .timedOut
        case .unreachable(let text), .connectionLost(let text): self = .unreachable(text)
        case .untrusted(let text): self = .untrusted(text)
        case .tooLarge(let limit): self = .unreadable("the body has more than \(limit) bytes")
        case .tooManyRedirects: self = .failed("too many redirects")
        case .unaccepted(let status): self = .failed("status \(status)")
        case .failed(let text): self = .failed(text)
        }
    }
}
