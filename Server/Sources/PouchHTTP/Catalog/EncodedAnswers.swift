import Hummingbird
import PouchDomain
import Synchronization

/// The answers that were made from one snapshot of the catalogue, by the text of their request.
///
/// Encoding is what a read costs; an answer is encoded once for each snapshot. The texts come from outside, so their
/// length and the memory of all answers are bounded; past the bound everything is forgotten and begins anew.
final class EncodedAnswers: Sendable {
    private static let capacity = 64 << 20
    private static let longestKey = 512
    /// What an entry takes beside its texts, on the high side: headers, ETag, its place in the dictionary.
    private static let entryBytes = 2 << 10

    private let catalog: CatalogFollower
    private let state = Mutex(State())

    private struct State {
        var snapshot: CatalogSnapshot?
        var answers: [String: EncodedAnswer] = [:]
        var bytes = 0
    }

    init(catalog: CatalogFollower) {
        self.catalog = catalog
    }

    /// - Parameter make: what to answer from the snapshot; an error is not kept.
    func response(
        to request: Request, make: (CatalogSnapshot) throws -> EncodedAnswer
    ) async throws -> Response {
        let snapshot = try await catalog.current()
        let key = request.uri.string
        let kept = state.withLock { $0.snapshot === snapshot ? $0.answers[key] : nil }
        if let kept { return kept.response(to: request) }

        let answer = try make(snapshot)
        if key.utf8.count <= Self.longestKey {
            state.withLock { state in
                if state.snapshot !== snapshot || state.bytes >= Self.capacity {
                    state = State(snapshot: snapshot)
                }
                state.answers[key] = answer
                state.bytes += Self.entryBytes + key.utf8.count + answer.body.storageCapacity
            }
        }
        return answer.response(to: request)
    }
}
