import Foundation

/// Decides which requests come from the page of this program, in the browser of its user.
///
/// The site controls a signed-in session. Other sites in the same browser must not control it, so the host must be that
/// of the site (a foreign name that resolves to 127.0.0.1 is another host), and a form must come from the site's own
/// page and contain its token. Other users of the machine can also connect: a browser must send a cookie, which it
/// receives for a key that koober prints and that opens the site once.
@MainActor
final class Gate {
    enum Refusal: Error {
        /// The request was for another host.
        case otherHost
        /// The browser was not let in.
        case unknownBrowser
        /// The request was made by another site.
        case otherSite
    }

    let host: String
    /// Part of each form, as proof that it is on a page of this site.
    let token = Gate.random()
    /// The key for the next browser. It works once, so a copy in the browser's history is useless.
    private var key = Gate.random()
    private let session = Gate.random()
    private let cookieName: String

    init(port: Int) {
        // Browsers omit the port of HTTP.
        host = port == 80 ? "127.0.0.1" : "127.0.0.1:\(port)"
        // Cookies do not distinguish ports: each koober on this machine needs its own name.
        cookieName = "koober-\(port)"
    }

    /// The address that opens the site in one browser.
    var address: String { "http://\(host)/?key=\(key)" }

    /// Returns the cookie that admits a browser if its key is correct. The key is then used up.
    func redeem(_ candidate: String) -> (name: String, value: String)? {
        guard Self.isEqual(candidate, key) else { return nil }
        key = Self.random()
        return ("Set-Cookie", "\(cookieName)=\(session); Path=/; HttpOnly; SameSite=Strict")
    }

    func checkHost(_ request: WebRequest) throws(Refusal) {
        guard request["host"] == host else { throw .otherHost }
    }

    func checkBrowser(_ request: WebRequest) throws(Refusal) {
        guard let cookie = request.cookie(cookieName), Self.isEqual(cookie, session) else { throw .unknownBrowser }
    }

    /// For requests that a page of this site makes, not a user with an address.
    func checkSite(_ request: WebRequest) throws(Refusal) {
        guard request.headers["sec-fetch-site"].map({ $0 == ["same-origin"] }) ?? true else { throw .otherSite }
    }

    /// For requests that change something. Every browser sends an origin with them.
    func checkForm(_ form: [String: String], of request: WebRequest) throws(Refusal) {
        try checkSite(request)
        guard request["origin"] == "http://" + host, let candidate = form["token"], Self.isEqual(candidate, token)
        else { throw .otherSite }
    }

    /// 128 random bits. The system's generator is suitable for secrets.
    private static func random() -> String {
        var system = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(system.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Compares in constant time, wherever the texts differ.
    private static func isEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
