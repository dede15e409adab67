import Foundation
import KooberScreens
import KooberTexts

/// Koober as a web site for one user, in any architecture: the app's screen as a page, forms as intentions.
///
///     let site = KooberSite(app, language: .english, port: 8081)
///     print(site.address)
///     let answer = site.answer(WebRequest(method: "GET", target: "/", headers: […]))
@MainActor
public final class KooberSite {
    /// The maximum size of a request's body, in bytes.
    public nonisolated static let longestBody = 16 * 1024
    /// The maximum number of browser tabs that follow the app at the same time.
    static let maxStreams = 16

    private let app: any KooberApp
    private let language: Language
    private let gate: Gate
    /// Called with a new address when the previous one was used.
    private let announce: @MainActor (String) -> Void
    private var streams: [Int: AsyncStream<String>.Continuation] = [:]
    private var lastStream = 0
    private var memory = PageMemory()
    private var lastScreen: KooberScreen?
    /// Counts the screens. An answer may reach the browser after the event of a later screen.
    private var version = 0

    public init(
        _ app: any KooberApp, language: Language, port: Int, announce: @escaping @MainActor (String) -> Void = { _ in }
    ) {
        self.app = app
        self.language = language
        self.announce = announce
        gate = Gate(port: port)
    }

    /// The address that opens the site in a browser, once.
    public var address: String { gate.address }

    /// Sends each screen of the app to the browsers, until the app is deallocated or the task is cancelled.
    public func follow() async {
        for await _ in app.screens() {
            // A request may already have shown a later screen.
            guard let screen = app.screen else { continue }
            let event = event(screen)
            for stream in streams.values { stream.yield(event) }
        }
        for stream in streams.values { stream.finish() }
    }

    public func answer(_ request: WebRequest) -> WebAnswer {
        do throws(Gate.Refusal) {
            try gate.checkHost(request)
            switch (request.method, request.path) {
            case ("GET", "/"): return try page(request)
            case ("GET", "/events"): return try events(request)
            case ("POST", "/intentions"): return try perform(request)
            case ("GET", "/koober.css"): return .asset("text/css", PackageResources.koober_css)
            case ("GET", "/koober.js"): return .asset("text/javascript", PackageResources.koober_js)
            case ("GET", "/icon.svg"): return .asset("image/svg+xml", Array(Kangaroo.icon.source.utf8))
            case (_, "/"), (_, "/events"), (_, "/intentions"): return notice(405, .wrongMethod)
            default: return notice(404, .noSuchPage)
            }
        } catch {
            switch error {
            case .otherHost: return notice(421, .openAt("http://\(gate.host)/"))
            case .unknownBrowser: return notice(403, .openPrintedAddress)
            case .otherSite: return notice(403, .notFromHere)
            }
        }
    }

    /// The answer to a request that is too large to be read.
    public func refuseLargeRequest() -> WebAnswer { notice(413, .tooLarge) }

    // MARK: Requests

    private func page(_ request: WebRequest) throws(Gate.Refusal) -> WebAnswer {
        if let key = FormBody.fields(request.query)?["key"], let cookie = gate.redeem(key) {
            announce(gate.address)
            return .seeOther(headers: [cookie])
        }
        try gate.checkBrowser(request)
        guard let screen = app.screen else { return notice(503, .starting) }
        return WebAnswer(200, page(screen).document)
    }

    private func perform(_ request: WebRequest) throws(Gate.Refusal) -> WebAnswer {
        try gate.checkBrowser(request)
        try gate.checkSite(request)
        guard request.body.count <= Self.longestBody else { return refuseLargeRequest() }
        guard request["content-type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true,
            let text = String(data: request.body, encoding: .utf8), let form = FormBody.fields(text)
        else { return notice(415, .noForm) }
        try gate.checkForm(form, of: request)
        guard let intention = IntentionFields.intention(in: form) else { return notice(422, .unknownIntention) }
        guard app.screen?.subject(of: intention) == form[IntentionFields.subject] else {
            return notice(409, .notOffered)
        }
        do throws(UnofferedIntention) {
            try app.perform(intention)
        } catch {
            return notice(409, .notOffered)
        }
        memory.keepInput(of: form)
        return .seeOther()
    }

    private func events(_ request: WebRequest) throws(Gate.Refusal) -> WebAnswer {
        try gate.checkBrowser(request)
        try gate.checkSite(request)
        guard streams.count < Self.maxStreams else { return notice(503, .tooManyTabs) }
        // A browser that reads slowly receives only the latest screen.
        let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        lastStream += 1
        let id = lastStream
        streams[id] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.streams[id] = nil }
        }
        if let screen = app.screen { continuation.yield(event(screen)) }
        return WebAnswer(200, type: "text/event-stream", .events(stream))
    }

    /// Each event is complete, so that a browser that reconnects has missed nothing.
    private func event(_ screen: KooberScreen) -> String {
        "retry: 1000\ndata: \(page(screen).app.source)\n\n"
    }

    private func page(_ screen: KooberScreen) -> WebPage {
        memory.follow(screen)
        if screen != lastScreen { (lastScreen, version) = (screen, version + 1) }
        return WebPage(
            PageContext(screen: screen, language: language, token: gate.token, version: version, memory: memory))
    }

    private func notice(_ status: Int, _ text: WebPhrase) -> WebAnswer {
        WebAnswer(status, WebPage.notice(text, language))
    }
}

extension WebAnswer {
    fileprivate static func asset(_ type: String, _ bytes: [UInt8]) -> WebAnswer {
        WebAnswer(200, type: "\(type); charset=utf-8", .bytes(Data(bytes)))
    }
}
