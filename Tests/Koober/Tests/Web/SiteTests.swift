import ClientTesting
import Foundation
import KooberScreens
import KooberTexts
import KooberWeb
import NIOCore
import NIOPosix
import PouchEntities
import Testing

/// The rules of the site for requests from its own page and from elsewhere.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct SiteTests {
    private let welcome = KooberScreen(.welcome)
    private let form = KooberScreen(.signIn(FormScreen()))

    @Test(
        arguments: [
            (["Host": "evil.example"], 421), (["Host": "127.0.0.1:8082"], 421), (["Host": nil], 421),
            (["Cookie": nil], 403), (["Cookie": "koober-8081=0"], 403), (["Origin": nil], 403),
            (["Origin": "null"], 403),
            (["Origin": "http://evil.example"], 403), (["Origin": "https://127.0.0.1:8081"], 403),
            (["Sec-Fetch-Site": "cross-site"], 403), (["Sec-Fetch-Site": "same-site"], 403),
            (["Sec-Fetch-Site": "none"], 403), (["Content-Type": "text/plain"], 415), (["Content-Type": nil], 415),
        ] as [([String: String?], Int)])
    func `a form from elsewhere changes nothing`(headers: [String: String?], status: Int) throws {
        let site = try SiteUnderTest(welcome)
        #expect(try site.intend("goToSignIn", headers: headers).status == status)
        #expect(site.app.intentions == [])
        // An old browser does not say from where a request comes, but always its origin.
        #expect(try site.intend("goToSignIn", headers: ["Sec-Fetch-Site": nil]).status == 303)
        #expect(site.app.intentions == [.goToSignIn])
    }

    @Test(arguments: ["", "0", String(repeating: "0", count: 32)])
    func `a form needs the token of this process`(token: String) throws {
        let site = try SiteUnderTest(welcome)
        #expect(site.send([("token", token), ("intention", "goToSignIn")]).status == 403)
        #expect(site.send([("intention", "goToSignIn")]).status == 403)
        let other = try SiteUnderTest(welcome).page().forms[0]["token"]
        #expect(site.send([("token", try #require(other)), ("intention", "goToSignIn")]).status == 403)
        #expect(site.app.intentions == [])
    }

    @Test func `a key opens the site once, and the next one is announced`() throws {
        let site = try SiteUnderTest(welcome)
        #expect(site.addresses.values == [site.site.address])
        let target = String(site.site.address.trimmingPrefix("http://127.0.0.1:8081"))
        #expect(site.answer("GET", target, ["Cookie": nil]).status == 303)
        #expect(site.answer("GET", target, ["Cookie": nil]).status == 403)
        #expect(site.answer("GET", "/?key=", ["Cookie": nil]).status == 403)
        #expect(site.answer("GET", "/", ["Cookie": nil]).status == 403)
        #expect(site.answer("GET", "/events", ["Cookie": nil]).status == 403)
        #expect(site.answer("GET", "/events", ["Sec-Fetch-Site": "cross-site"]).status == 403)
    }

    @Test(
        arguments: [
            ([("intention", "fly")], 422), ([], 422), ([("intention", "signIn"), ("email", "a@b.c")], 422),
            ([("intention", "selectDropoff")], 422), ([("intention", "goBack")], 409),
            ([("intention", "confirmRide")], 409),
            ([("intention", "goToSignIn"), ("intention", "goToSignUp")], 415),
        ] as [([(String, String)], Int)])
    func `an unknown intention and one that is not offered get a page that says so`(
        fields: [(String, String)], status: Int
    ) throws {
        let site = try SiteUnderTest(welcome, language: .german)
        let token = try #require(try site.page().forms[0]["token"])
        let answer = site.send([("token", token)] + fields)
        #expect(answer.status == status)
        #expect(answer.text.contains("lang=\"de\"") && answer.text.contains("Zurück zu Koober"))
        #expect(site.app.intentions == [])
    }

    /// Each with a screen that offers the same decision as the old one, and a new one that offers another.
    nonisolated static let decisions: [(String, old: KooberScreen, same: KooberScreen, new: KooberScreen)] = {
        let offer = Sydney.offer(selected: "wallaby")
        let other = PickMeUpScreen.Step.confirmRequest(Sydney.options(selected: "wallaby"))
        func error(_ message: Phrase) -> KooberScreen {
            KooberScreen(.welcome, error: ErrorNote(title: .verbatim("!"), message: message))
        }
        let ride = Sydney.waiting(Sydney.ride(.requested))
        let accepted = Sydney.waiting(Sydney.ride(.accepted, Sydney.junction.location))
        return [
            ("confirmRide", offer, offer, Sydney.offer(selected: "kangaroo")),
            ("confirmRide", offer, offer, Sydney.pickMeUp(other, to: Sydney.junction)),
            ("acknowledgeError", error(.unreachable), error(.unreachable), error(.verbatim("Another one."))),
            ("cancelRide", ride, accepted, Sydney.waiting(Sydney.ride(.requested, id: "rid_2"))),
        ]
    }()

    @Test(arguments: decisions)
    func `a form of an older page decides about nothing else than what the page showed`(
        intention: String, old: KooberScreen, same: KooberScreen, new: KooberScreen
    ) throws {
        let site = try SiteUnderTest(old)
        let form = try #require(try site.page().forms.first { $0["intention"] == intention })
        site.app.show(new)
        #expect(site.send(form.fields).status == 409)
        #expect(site.send(form.fields.filter { $0.name != "subject" }).status == 409)
        #expect(site.app.intentions == [])
        #expect(try site.intend(intention).status == 303)
        // The page of the same offer in another tab, or of the same ride later.
        site.app.show(same)
        #expect(site.send(form.fields).status == 303)
    }

    @Test func `on port 80 the host has no port`() throws {
        let site = KooberSite(PlayedApp(welcome), language: .english, port: 80)
        #expect(site.address.hasPrefix("http://127.0.0.1/?key="))
        func enter(_ host: String) -> Int {
            let target = String(site.address.trimmingPrefix("http://127.0.0.1"))
            return site.answer(WebRequest(method: "GET", target: target, headers: [("Host", host)])).status
        }
        #expect(enter("127.0.0.1:8081") == 421)
        #expect(enter("127.0.0.1") == 303)
    }

    @Test func `input is kept for the next page, but never a password`() throws {
        let site = try SiteUnderTest(form)
        let input = ["email": "ann+1@example.com", "password": "pass & word=1+1"]
        #expect(try site.intend("signIn", input: input).status == 303)
        #expect(site.app.intentions == [.signIn(email: "ann+1@example.com", password: Secret("pass & word=1+1"))])
        let page = try site.page()
        #expect(page.values(of: "value").contains("ann+1@example.com"))
        #expect(!page.source.contains("pass &"))
        site.app.show(KooberScreen(.welcome))
        #expect(try site.intend("goToSignIn").status == 303)
        site.app.show(form)
        #expect(try !site.page().source.contains("ann+1"))
    }

    @Test func `a body has at most 16 KiB`() throws {
        let site = try SiteUnderTest(welcome)
        let token = try #require(try site.page().forms[0]["token"])
        let start = "token=\(token)&intention=goToSignIn&x="
        let longest = start + String(repeating: "x", count: 16 * 1024 - start.utf8.count)
        #expect(site.answer("POST", "/intentions", body: longest + "x").status == 413)
        #expect(site.app.intentions == [])
        #expect(site.answer("POST", "/intentions", body: longest).status == 303)
    }

    @Test func `a stream starts with the present screen, and versions grow with the screens`() async throws {
        let site = try SiteUnderTest(welcome)
        guard case .events(let stream) = site.answer("GET", "/events").body else {
            Issue.record("There is no stream.")
            return
        }
        var events = stream.makeAsyncIterator()
        var last = -1
        for view in ["welcome", "sign-in", "welcome"] {
            var event = try #require(await events.next())
            while !event.contains("data-view=\"\(view)\"") { event = try #require(await events.next()) }
            #expect(event.hasSuffix("\n\n") && event.split(separator: "\n").count == 2)
            let version = try #require(event.firstMatch(of: /data-version="([0-9]+)"/).flatMap { Int($0.1) })
            #expect(version > last)
            last = version
            site.app.show(view == "sign-in" ? welcome : form)
        }
    }

    @Test func `the number of streams is bounded, and one that ends makes room`() async throws {
        let site = try SiteUnderTest(welcome)
        var streams: [AsyncStream<String>] = []
        while case .events(let stream) = site.answer("GET", "/events").body {
            streams.append(stream)
            try #require(streams.count < 100)
        }
        #expect(site.answer("GET", "/events").status == 503)
        // A task that is cancelled ends its stream, as a connection does.
        let reader = Task { [stream = streams.removeLast()] in for await _ in stream {} }
        reader.cancel()
        await reader.value
        try await eventually { site.answer("GET", "/events").status != 503 }
    }

    @Test(arguments: ["/", "/koober.css", "/koober.js", "/icon.svg", "/nothing", "/intentions"])
    func `every answer restricts what a browser does with it`(path: String) throws {
        let answer = try SiteUnderTest(welcome).answer("GET", path)
        let policy = try #require(answer["content-security-policy"])
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
        #expect(answer["cache-control"] == "no-store")
        #expect(answer["x-content-type-options"] == "nosniff")
    }
}

/// The server of a site, while browsers connect to it.
@Suite(.timeLimit(.minutes(5)))
struct WebServerTests {
    /// NIO ends the process if a connection is dropped that did not run, which no `catch` can hold up.
    @Test
    func `a server that ends while browsers connect drops none of their connections`() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        // No browser asks for anything, so one site serves all servers.
        let site = await MainActor.run { KooberSite(PlayedApp(KooberScreen(.welcome)), language: .english, port: 0) }
        for _ in 0..<15 {
            let server = try await WebServer.start(port: 0)
            let serving = Task { await server.run(site) }
            let browsers = (0..<64).map { _ in
                ClientBootstrap(group: group).connect(host: "127.0.0.1", port: server.port)
            }
            let first = try await browsers[0].get()
            // The others are on their way.
            serving.cancel()
            await serving.value
            // The server has closed its side.
            try await first.closeFuture.get()
            for browser in browsers { try? await browser.get().close() }
        }
    }
}
