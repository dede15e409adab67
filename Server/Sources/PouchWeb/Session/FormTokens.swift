import Foundation
import PouchDomain
import PouchJSON
import Synchronization

/// Creates the tokens that prove that a form is from a page of this shop, and the idempotency keys of forms.
///
/// The token is random. It is in a cookie and in each form of a page, and a form is accepted if both match: another
/// site can neither read the cookie nor, with TLS, set it. A signature would not add security: an attacker who can set
/// the cookie can set one that this shop has signed.
struct FormTokens: Sendable {
    private static let bytes = 24

    private let environment: DomainEnvironment
    private let keys: FormKeys

    init(_ environment: DomainEnvironment) {
        self.environment = environment
        keys = FormKeys(Data(environment.random.bytes(12)).base64URL)
    }

    /// The token of the visitor's forms.
    func token(in cookies: CookieJar) -> String {
        if let token = cookies[.form], Self.isWellFormed(token) { return token }
        return renew(in: cookies)
    }

    /// Replaces the token. Earlier forms are refused, so that a token that an attacker knew before a sign-in becomes
    /// useless.
    @discardableResult
    func renew(in cookies: CookieJar) -> String {
        let token = Data(environment.random.bytes(Self.bytes)).base64URL
        cookies.set(.form, to: token)
        return token
    }

    /// Whether a form has this visitor's token.
    func accepts(_ token: String, of cookies: CookieJar) -> Bool {
        guard let own = cookies[.form], Self.isWellFormed(own) else { return false }
        return environment.digests.isEqual(Data(token.utf8), Data(own.utf8))
    }

    /// Whether the value of a cookie, which can be anything, is a well-formed token. Pages contain it without escaping.
    private static func isWellFormed(_ token: String) -> Bool {
        ByteAlphabet.base64URL.bytes(token.utf8)?.count == bytes
    }

    /// A new idempotency key for the forms of a page.
    func newKey() -> String { keys.next() }
}

/// Creates unique idempotency keys. They need not be secret: a key applies only to its owner.
private final class FormKeys: Sendable {
    private let process: String
    private let count = Atomic<UInt64>(0)

    /// - Parameter process: a random text that differs for each process.
    init(_ process: String) {
        self.process = process
    }

    func next() -> String {
        process + "-" + String(count.wrappingAdd(1, ordering: .relaxed).newValue, radix: 36)
    }
}
