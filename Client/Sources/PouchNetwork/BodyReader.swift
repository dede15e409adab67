import Foundation

/// Reads a body piece by piece, in tasks of their own.
actor BodyReader {
    private var pieces: NetworkBody.AsyncIterator

    init(_ body: NetworkBody) {
        pieces = body.makeAsyncIterator()
    }

    func next() async throws(NetworkError) -> Data? {
        var pieces = pieces
        defer { self.pieces = pieces }
        return try await pieces.next()
    }
}
