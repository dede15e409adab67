import Foundation
import PouchJSON

/// The signatures of Standard Webhooks: HMAC-SHA-256 over the id of the event, the time of the request and the body.
public struct WebhookSigner: Sendable {
    private static let prefix = "whsec_"

    private let digests: any Digests

    public init(_ digests: any Digests) {
        self.digests = digests
    }

    static func newSecret(_ random: any RandomSource) -> String {
        prefix + Data(random.bytes(24)).base64EncodedString()
    }

    /// The value of `webhook-signature`, with one signature for each secret.
    public func signatures(_ secrets: [String], id: String, timestamp: Int64, body: Data) -> String {
        let signed = Data("\(id).\(timestamp).".utf8) + body
        return secrets.compactMap { secret in
            Data(base64Encoded: String(secret.dropFirst(Self.prefix.count))).map { key in
                "v1," + digests.hmacSHA256(signed, key: key).base64EncodedString()
            }
        }.joined(separator: " ")
    }
}

extension EventRecord {
    /// The JSON of its `ShopEvent`. The data are unchanged.
    public func body() throws -> Data {
        func text(_ text: String) throws -> Data { try text.json() }
        return try Data(#"{"createdAt":"#.utf8) + event.createdAt.json() + Data(#","data":"#.utf8) + event.data
            + Data(#","id":"#.utf8) + text(id) + Data(#","objectId":"#.utf8) + text(event.objectId)
            + Data(#","type":"#.utf8) + text(event.typeName) + Data("}".utf8)
    }
}
