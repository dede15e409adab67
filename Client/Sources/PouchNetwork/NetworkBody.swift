import Foundation

/// The bytes of an answer, in pieces as they come. They can be read once.
///
/// Dropping a body unread, or cancelling the task that reads, ends the exchange with the server.
public struct NetworkBody: AsyncSequence, Sendable {
    public typealias Element = Data
    public typealias Failure = NetworkError

    /// 64 MiB: what is collected at most where nobody says otherwise.
    public static let standardLimit = 64 << 20

    fileprivate enum Source {
        case whole(Data)
        case chunks(@Sendable () async throws(NetworkError) -> Data?)
    }

    private let source: Source

    /// A body that is there already.
    public init(_ data: Data = Data()) {
        source = .whole(data)
    }

    /// - Parameter next: the next piece, never an empty one; nil at the end. Called by one task at a time, and never
    ///   again after nil or an error.
    public init(_ next: @escaping @Sendable () async throws(NetworkError) -> Data?) {
        source = .chunks(next)
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: source)
    }

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate var source: Source?

        public mutating func next() async throws(NetworkError) -> Data? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
            guard let source else { return nil }
            self.source = nil
            switch source {
            case .whole(let data):
                return data.isEmpty ? nil : data
            case .chunks(let next):
                let chunk = try await next()
                if chunk != nil { self.source = source }
                return chunk
            }
        }
    }

    /// All the bytes.
    ///
    /// - Throws: `.tooLarge` as soon as there are more than `limit`.
    public func collected(upTo limit: Int = standardLimit) async throws(NetworkError) -> Data {
        var iterator = makeAsyncIterator()
        guard var data = try await iterator.next() else { return Data() }
        while data.count <= limit, let chunk = try await iterator.next() { data.append(chunk) }
        guard data.count <= limit else { throw .tooLarge(limit: limit) }
        return data
    }
}
