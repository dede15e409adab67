import HTTPTypes
import ServerTesting
import Synchronization

/// A visitor of the pages: a browser without script. It keeps cookies, finds forms, fills them in and sends them.
///
/// `get` returns a redirect itself (`page.location`); `open` and `submit` follow it. `post` sends any fields, for
/// attacks.
final class WebVisitor: Sendable {
    private struct Cookie {
        let value: String
        let expires: Date?
    }

    private let transport: Transport
    private let now: @Sendable () -> Date
    private let isSecure: Bool
    private let language: String
    private let userAgent: String
    private let stored = Mutex<[String: Cookie]>([:])

    /// - Parameters:
    ///   - session: a session of the API in which the visitor starts.
    ///   - isSecure: whether the shop's address begins with `https`. If not, a browser ignores cookies that are only
    ///     for TLS.
    ///   - language: the value of `Accept-Language`.
    init(
        _ shop: TestShop, session: UserSession? = nil, isSecure: Bool = false, language: String = "en",
        userAgent: String = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    ) {
        transport = shop.transport
        now = { shop.clock.now }
        self.isSecure = isSecure
        self.language = language
        self.userAgent = userAgent
        guard let remote = session?.remoteSession else { return }
        let prefix = isSecure ? "__Host-" : ""
        stored.withLock {
            $0[prefix + "pouch_access"] = Cookie(value: remote.accessToken, expires: remote.accessTokenExpiresAt)
            $0[prefix + "pouch_refresh"] = Cookie(value: remote.refreshToken, expires: remote.refreshTokenExpiresAt)
        }
    }

    // MARK: Pages

    /// Requests a page without following a redirect.
    ///
    /// - Parameter headers: sent in addition to a browser's headers; one of the same name replaces the browser's.
    func get(_ address: String, headers: [String: String] = [:]) async throws -> WebPage {
        try await send(.get, address, nil, ["Sec-Fetch-Site": "none"].merging(headers) { $1 })
    }

    /// Requests a page and follows redirects to the page that a person sees.
    func open(_ address: String) async throws -> WebPage { try await follow(try await get(address)) }

    // MARK: Forms

    /// Fills in a form of the page and sends it as a browser does: with hidden fields and prefilled values.
    ///
    /// - Parameters:
    ///   - action: the path to which the form is sent.
    ///   - values: the values by the names of the fields, with or without their types; nil switches a choice off.
    ///   - files: the files by the names of their fields.
    ///   - following: whether to follow the redirect after the form.
    /// - Throws: `WebMistake` for a form, a field or a choice that the page does not have.
    func submit(
        _ page: WebPage, action: String, _ values: [String: String?] = [:], files: [String: WebFile] = [:],
        following: Bool = true
    ) async throws -> WebPage {
        let form = try page.form(action, with: values.keys)
        let fields = try form.filled(values)
        guard form.method == "POST" else {
            let query = Self.encoded(fields)
            return try await open(form.action.prefix { $0 != "?" } + (query.isEmpty ? "" : "?" + query))
        }
        let answer =
            try await form.isMultipart ? post(form.action, WebFile.multipart(fields, files)) : post(form.action, fields)
        return following ? try await follow(answer) : answer
    }

    /// Opens the page at the address, and fills in and sends a form on it.
    ///
    /// - Parameter action: the action of the form; nil for the path of the page.
    func submit(
        at address: String, action: String? = nil, _ values: [String: String?] = [:], files: [String: WebFile] = [:],
        following: Bool = true
    ) async throws -> WebPage {
        let action = action ?? String(address.prefix { $0 != "?" })
        return try await submit(try await get(address), action: action, values, files: files, following: following)
    }

    /// Sends any fields with the visitor's cookies, whether or not a form has them. Does not follow a redirect.
    ///
    /// - Parameter headers: sent in addition to a browser's headers; one of the same name replaces the browser's,
    ///   and an empty value omits it.
    func post(
        _ address: String, _ fields: [(name: String, value: String)] = [], headers: [String: String] = [:]
    ) async throws -> WebPage {
        try await post(
            address, (type: "application/x-www-form-urlencoded", bytes: Data(Self.encoded(fields).utf8)),
            headers: headers)
    }

    /// Sends any body, such as one that no browser would create from a form.
    func post(
        _ address: String, _ body: (type: String, bytes: Data), headers: [String: String] = [:]
    ) async throws -> WebPage {
        try await send(
            .post, address, body.bytes,
            ["Content-Type": body.type, "Sec-Fetch-Site": "same-origin"].merging(headers) { $1 })
    }

    // MARK: Cookies

    /// The cookies that the browser would send.
    var cookies: [String: String] {
        let now = now()
        return stored.withLock { $0.filter { $0.value.expires.map { $0 > now } ?? true } }.mapValues(\.value)
    }

    /// Sets a cookie, as a person can in a browser; nil removes it.
    func setCookie(_ name: String, _ value: String?) {
        stored.withLock { $0[name] = value.map { Cookie(value: $0, expires: nil) } }
    }

    /// The header with the cookies.
    var cookieHeader: String {
        cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }

    private func keep(_ line: String) {
        let parts = line.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let pair = parts.first, let end = pair.firstIndex(of: "=") else { return }
        let (name, value) = (String(pair[..<end]), String(pair[pair.index(after: end)...]))
        var attributes: [String: String] = [:]
        for part in parts.dropFirst() {
            let halves = part.split(separator: "=", maxSplits: 1)
            attributes[String(halves[0]).lowercased()] = halves.count > 1 ? String(halves[1]) : ""
        }
        guard isSecure || attributes["secure"] == nil else { return }
        if name.hasPrefix("__Host-") {
            guard attributes["secure"] != nil, attributes["path"] == "/", attributes["domain"] == nil else { return }
        }
        let seconds = attributes["max-age"].flatMap { Double($0) }
        let cookie = Cookie(value: value, expires: seconds.map { now().addingTimeInterval($0) })
        stored.withLock { $0[name] = seconds.map { $0 <= 0 } ?? false ? nil : cookie }
    }

    // MARK: Requests

    private static func encoded(_ fields: [(name: String, value: String)]) -> String {
        QueryString(fields.map { QueryString.Item(name: $0.name, value: $0.value) }).encoded
    }

    private func follow(_ page: WebPage) async throws -> WebPage {
        var page = page
        var steps = 0
        while [301, 302, 303, 307, 308].contains(page.status), let location = page.location {
            steps += 1
            guard location.hasPrefix("/"), steps < 10 else {
                throw WebMistake("\(page.address) leads to \(location), which is no page of the shop")
            }
            page = try await send(.get, location, nil, ["Sec-Fetch-Site": "same-origin"], after: location)
        }
        return page
    }

    private func send(
        _ method: HTTPRequest.Method, _ address: String, _ body: Data?, _ headers: [String: String],
        after location: String? = nil
    ) async throws -> WebPage {
        var fields: HTTPFields = [
            .accept: "text/html,application/xhtml+xml,*/*;q=0.8", .acceptLanguage: language, .userAgent: userAgent,
        ]
        if !cookies.isEmpty { fields[.cookie] = cookieHeader }
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = value.isEmpty ? nil : value }
        }
        // A fragment stays in the browser.
        let answer = try await transport(method, String(address.prefix { $0 != "#" }), fields, body)
        for line in answer.headers[values: .setCookie] { keep(line) }
        return WebPage(
            address: address, status: answer.status, headers: answer.headers, body: answer.body,
            location: answer.headers[.location] ?? location)
    }
}

/// A file that a visitor chooses for a form.
struct WebFile: Sendable {
    let name: String
    let mediaType: String
    let bytes: Data

    /// A body in the encoding for files, which any form can have.
    static func multipart(
        _ fields: [(name: String, value: String)], _ files: [String: WebFile] = [:]
    ) -> (type: String, bytes: Data) {
        let boundary = "----boundary-\(UUID().uuidString)"
        var body = Data()
        for (name, value) in fields {
            let head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n"
            body.append(Data("\(head)\(value)\r\n".utf8))
        }
        for (name, file) in files.sorted(by: { $0.key < $1.key }) {
            let place = "form-data; name=\"\(name)\"; filename=\"\(file.name)\""
            let head = "--\(boundary)\r\nContent-Disposition: \(place)\r\nContent-Type: \(file.mediaType)\r\n\r\n"
            body.append(Data(head.utf8) + file.bytes + Data("\r\n".utf8))
        }
        body.append(Data("--\(boundary)--\r\n".utf8))
        return ("multipart/form-data; boundary=\(boundary)", body)
    }
}
