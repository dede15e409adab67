import Foundation
import PouchDomain
import PouchWire

/// Makes cursors that only this shop's servers can make. What a cursor is for is part of its code, so that one of
/// another list is refused.
struct CursorSigner: Sendable {
    let keyRing: KeyRing
    let digests: any Digests

    func cursor(_ position: some Encodable, for list: String) throws -> String {
        codec(list, keyRing.current).encode(try WireJSON.encode(position))
    }

    /// - Throws: `RequestProblem` with `invalid_cursor`.
    func position<Position: Decodable>(_ type: Position.Type, from cursor: String, for list: String) throws -> Position
    {
        for key in keyRing.all {
            if let payload = codec(list, key).decode(cursor), let position = try? WireJSON.decode(type, from: payload) {
                return position
            }
        }
        throw RequestProblem(.invalidCursor, "Take nextCursor from a page of this very list.")
    }

    private func codec(_ list: String, _ key: SigningKey) -> CursorCodec {
        let secret = keyRing.derivedKey("cursor " + list, from: key)
        return CursorCodec { [digests] in digests.hmacSHA256($0, key: secret).prefix(16) }
    }
}
