import ServerTesting
import Testing

/// The e-mails that a shop has queued, including those already sent.
extension TestShop {
    struct Mail: Sendable, Equatable {
        let kind: MailKind
        let recipient: String
        let content: MailContent
    }

    /// The e-mails, oldest first.
    func mails(_ kind: MailKind, to recipient: String? = nil) async throws -> [Mail] {
        try await rows("SELECT recipient, content FROM mails WHERE kind = ? ORDER BY id", [.text(kind.rawValue)])
            .map { row in
                Mail(
                    kind: kind, recipient: try row.text(0),
                    content: try MailContent(json: Data(row.text(1).utf8), .stored))
            }
            .filter { recipient == nil || $0.recipient == recipient }
    }

    /// The token in the latest e-mail of a kind, as in its template.
    func token(
        _ kind: MailKind, to recipient: String? = nil, _ sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let mail = try #require(try await mails(kind, to: recipient).last, sourceLocation: sourceLocation)
        return signer.token(for: try #require(mail.content.link, sourceLocation: sourceLocation))
    }

    var signer: LinkSigner { LinkSigner(keyRing: services.keyRing, digests: environment.digests) }

    /// The token of a link that ends some seconds from now.
    func token(to id: String, for purpose: SignedLink.Purpose = .order, seconds: TimeInterval = 60) -> String {
        signer.token(for: SignedLink(purpose, id: id, expiresAt: clock.now + seconds))
    }

    /// Requests a new password, a second after the previous e-mails.
    ///
    /// - Returns: the token in the e-mail.
    func resetToken(
        of email: String = "ada@example.com", _ sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        clock.advance(by: 1)
        try await services.accounts.requestPasswordReset(email: email, network: "")
        try await services.accounts.answerPasswordResets()
        return try await token(.passwordReset, to: email, sourceLocation)
    }

    /// The types of the events of an object, sorted by name, since the clock may stand still between them.
    func eventTypes(of objectId: String) async throws -> [String] {
        try await rows("SELECT type FROM events WHERE object_id = ?", [.text(objectId)]).map { try $0.text(0) }.sorted()
    }
}
