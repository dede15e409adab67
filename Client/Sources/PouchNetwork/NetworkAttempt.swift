import Foundation

/// One sending of a request.
public struct NetworkAttempt: Sendable, Equatable {
    public enum Ending: Sendable, Equatable {
        case answered(status: Int)
        case failed(NetworkError)
    }

    public let startedAt: Date
    /// nil while it is under way.
    public private(set) var endedAt: Date?
    public private(set) var ending: Ending?

    init(startedAt: Date) {
        self.startedAt = startedAt
    }

    mutating func end(with result: Result<NetworkResponse, NetworkError>, at date: Date) {
        endedAt = date
        switch result {
        case .success(let response): ending = .answered(status: response.status)
        case .failure(let error): ending = .failed(error)
        }
    }
}
