import Foundation
import PouchEntities
import PouchJSON

/// The permission that a link in an e-mail grants: one purpose with one record, until a time.
///
/// The link's token contains the id, the expiry and a code that only this shop's servers can create. It is not stored,
/// so a leaked e-mail queue gives no access. A single-use link needs a record of whether it was used.
public struct SignedLink: Sendable, Equatable {
    public enum Purpose: String, JSONCodable, Sendable, CaseIterable {
        /// Reading an order without signing in; the id is the order's.
        case order
        case passwordReset
        case emailVerification
        case staffInvitation
    }

    public let purpose: Purpose
    public let id: String
    /// The expiry in whole milliseconds, as in tokens and databases.
    public let expiresAt: Date

    /// - Parameter id: without a dot, like all ids of the shop.
    public init(_ purpose: Purpose, id: String, expiresAt: Date) {
        self.purpose = purpose
        self.id = id
        self.expiresAt = Date(timeIntervalSince1970: (expiresAt.timeIntervalSince1970 * 1_000).rounded() / 1_000)
    }
}

extension SignedLink: JSONModel {
    public static let json = JSONObject(
        SignedLink.init(_:id:expiresAt:), .field("purpose", \.purpose), .field("id", \.id),
        .field("expiresAt", \.expiresAt))
}

/// The reason why a token is refused.
public enum SignedLinkError: Error, Sendable, Equatable {
    /// The token was not issued by this shop, is for another purpose, or was signed with a retired key.
    case invalid
    case expired
}

/// Creates and verifies the tokens of links.
///
///     let token = signer.token(for: SignedLink(.order, id: order.id, expiresAt: expiry))
///     let link = try signer.link(.order, from: token, at: now, in: repositories)   // link.id == order.id
///
/// A link always has the same token, as long as the same key signs.
public struct LinkSigner: Sendable {
    private let keyRing: KeyRing
    private let digests: any Digests

    public init(keyRing: KeyRing, digests: any Digests) {
        self.keyRing = keyRing
        self.digests = digests
    }

    public func token(for link: SignedLink) -> String {
        let terms = "\(link.id).\(Int64((link.expiresAt.timeIntervalSince1970 * 1_000).rounded()))"
        let code = digests.hmacSHA256(Data(terms.utf8), key: secret(link.purpose, keyRing.current))
        return terms + "." + ByteAlphabet.base64URL.text(code)
    }

    /// The link that a token was created for. The codes are compared in constant time.
    ///
    /// - Parameter repositories: read for keys unknown to this process, since another process may have signed.
    /// - Throws: `SignedLinkError`.
    public func link(
        _ purpose: SignedLink.Purpose, from token: String, at now: Date, in repositories: any Repositories
    ) throws -> SignedLink {
        guard ModelLimits.linkTokenLength.contains(token.utf8.count) else { throw SignedLinkError.invalid }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let milliseconds = Int64(parts[1]),
            let code = ByteAlphabet.base64URL.bytes(parts[2].utf8)
        else { throw SignedLinkError.invalid }
        let terms = Data("\(parts[0]).\(parts[1])".utf8)
        let isOurs = { (keys: [SigningKey]) in
            keys.contains { digests.isHMACSHA256(Data(code), of: terms, key: secret(purpose, $0)) }
        }
        guard try isOurs(keyRing.all) || isOurs(repositories.keys.keys()) else { throw SignedLinkError.invalid }
        let link = SignedLink(
            purpose, id: String(parts[0]), expiresAt: Date(timeIntervalSince1970: Double(milliseconds) / 1_000))
        guard now < link.expiresAt else { throw SignedLinkError.expired }
        return link
    }

    private func secret(_ purpose: SignedLink.Purpose, _ key: SigningKey) -> Data {
        keyRing.derivedKey("link " + purpose.rawValue, from: key)
    }
}
