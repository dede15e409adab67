import PouchNetwork

extension ServiceError.Reason {
    init(_ error: NetworkError) {
        switch error {
        case .cancelled: self = .cancelled
        case .timedOut: self = .timedOut
        case .unreachable(let text): self = .unreachable(text)
        case .untrusted(let text): self = .untrusted(text)
        case .failed(let text): self = .failed(text)
        }
    }
}
