import ClientTesting
import Foundation
import PouchContract
import PouchNetwork
import PouchService
import PouchTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ResponseCacheTests {
    private let time = ManualClock()
    private let seasons = "/v1/seasons"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func service(
        over transport: any Transport, folder: URL? = nil, limits: ResponseCache.Limits = .init()
    ) throws -> (service: APIWrapper, cache: ResponseCache) {
        let cache = ResponseCache(folder: folder, limits: limits, now: { [time] in time.date })
        let service = APIWrapper(
            server: try #require(URL(string: "http://127.0.0.1")), transport: transport,
            sessionStore: MemorySessionStore(Fixture.data(Fixture.session())), cache: cache,
            now: { Date.sample })
        return (service, cache)
    }

    /// A service over a web server that has the seasons.
    private func service(
        _ body: String, _ headers: HeaderFields = [:], folder: URL? = nil, gate: Gate? = nil
    ) throws -> (service: APIWrapper, web: WebFolder, cache: ResponseCache) {
        let web = WebFolder([seasons: body], headers: headers, gate: gate)
        let (service, cache) = try service(over: web, folder: folder)
        return (service, web, cache)
    }

    /// A transport that gives these answers in turn, the last one again and again.
    private func answering(_ answers: NetworkResponse...) -> RecordingTransport {
        let count = Counter()
        return RecordingTransport { _ in answers[min(count.increment(), answers.count) - 1] }
    }

    private func tagged(_ body: String, _ etag: String = #""1""#, status: Int = 200) -> NetworkResponse {
        NetworkResponse(status: status, headers: ["ETag": etag], data: Data(body.utf8))
    }

    private func text(_ answer: ServiceAnswer) -> String { String(decoding: answer.data, as: UTF8.self) }

    private func seasonsText(_ service: APIWrapper) async throws -> String {
        text(try await service.call(Contract.seasons.call()))
    }

    @Test func `a current answer is not sent again`() async throws {
        let (service, web, _) = try service(#"{"items":[]}"#)
        let first = try await service.call(Contract.seasons.call())
        let second = try await service.call(Contract.seasons.call())
        #expect(second.status == 200 && second.data == first.data)
        #expect(web.requests.map { $0.headers["If-None-Match"] } == [nil, first.etag])
        web.put(#"{"items":[1]}"#, at: seasons)
        #expect(try await seasonsText(service) == #"{"items":[1]}"#)
    }

    @Test func `a fresh answer needs no request, a slightly stale one is refreshed in the background`() async throws {
        let (service, web, _) = try service("{}", ["Cache-Control": "public, max-age=10, stale-while-revalidate=5"])
        for _ in 0..<3 { _ = try await service.call(Contract.seasons.call()) }
        #expect(web.requests.count == 1)
        web.put(#"{"items":[1]}"#, at: seasons)
        time.pass(.seconds(11))
        #expect(try await seasonsText(service) == "{}")
        // The last call started a request in the background, which brings the next answer.
        try await eventually { web.requests.count >= 2 }
        time.pass(.seconds(20))
        #expect(try await seasonsText(service) == #"{"items":[1]}"#)
    }

    @Test func `a clock that was set back does not keep answers fresh`() async throws {
        let (service, web, _) = try service("{}", ["Cache-Control": "max-age=10"])
        time.pass(.seconds(1_000))
        _ = try await service.call(Contract.seasons.call())
        time.pass(.seconds(-900))
        _ = try await service.call(Contract.seasons.call())
        #expect(web.requests.count == 2)
    }

    @Test func `while the server is away the last answer is returned with its age`() async throws {
        let (service, web, _) = try service(#"{"items":[]}"#)
        #expect(try await service.call(Contract.seasons.call()).staleness == nil)
        web.setAway(true)
        time.pass(.seconds(3_600))
        let kept = try await service.call(Contract.seasons.call())
        #expect(text(kept) == #"{"items":[]}"#)
        #expect(kept.staleness?.asOf == Date.sample)
        #expect(kept.staleness?.cause.reason == .network(.unreachable("away")))
        web.setAway(false)
        #expect(try await service.call(Contract.seasons.call()).staleness == nil)
    }

    @Test(arguments: [500, 502, 503, 429]) func `a server that fails counts as away`(status: Int) async throws {
        let (service, _) = try service(over: answering(tagged("{}"), .text("Service Unavailable", status: status)))
        _ = try await service.call(Contract.seasons.call())
        #expect(try await service.call(Contract.seasons.call()).staleness?.cause.status == status)
    }

    @Test func `a login page of the network does not replace the answer`() async throws {
        let page = NetworkResponse.text("<html>Welcome to our Wi-Fi</html>", type: "text/html")
        let (service, _) = try service(over: answering(tagged(#"{"items":[]}"#), page))
        for _ in 0..<3 { #expect(try await seasonsText(service) == #"{"items":[]}"#) }
    }

    @Test(arguments: [
        #"{"items":["#, #"[{"id":1}"#, #"{"items":[{"id":1}]"#, #"{"items":[{"id":1}"#, #"[{"sizes":["S"]"#,
        #"{"items":[{"name":"\"]}"}"#,
    ])
    func `an answer that was cut short neither replaces the earlier one nor is stored`(body: String) async throws {
        let (service, web, _) = try service(#"{"items":[]}"#)
        let etag = try await service.call(Contract.seasons.call()).etag
        web.put(body, at: seasons)
        for _ in 0..<2 {
            let kept = try await service.call(Contract.seasons.call())
            #expect(text(kept) == #"{"items":[]}"#)
            #expect(kept.staleness?.cause.status == 200)
        }
        #expect(web.requests.dropFirst().allSatisfy { $0.headers["If-None-Match"] == etag })
    }

    @Test func `an answer that the server has deleted is not returned any more`() async throws {
        let web = WebFolder(["/v1/products/hat": "{}"])
        let (service, _) = try service(over: web)
        _ = try await service.call(Contract.product.call("hat"))
        web.put(nil, at: "/v1/products/hat")
        await #expect(throws: ServiceError.self) { _ = try await service.call(Contract.product.call("hat")) }
        web.setAway(true)
        await #expect(throws: ServiceError.self) { _ = try await service.call(Contract.product.call("hat")) }
    }

    @Test(arguments: ["no-store", "private, max-age=60", "max-age=60, No-Store"])
    func `an answer that must not be stored is not`(control: String) async throws {
        let (service, web, cache) = try service("{}", ["Cache-Control": control], folder: folder.url)
        for _ in 0..<2 { _ = try await service.call(Contract.seasons.call()) }
        #expect(web.requests.map { $0.headers["If-None-Match"] } == [nil, nil])
        await cache.flush()
        #expect(try folder.files.isEmpty)
    }

    @Test func `answers to calls with a session are never stored`() async throws {
        let web = WebFolder(["/v1/cart": "{}", "/v1/account": "{}"], headers: ["Cache-Control": "public, max-age=60"])
        let (service, cache) = try service(over: web, folder: folder.url)
        for _ in 0..<2 {
            _ = try await service.call(Contract.cart.call())
            _ = try await service.call(Contract.profile.call())
        }
        #expect(web.requests.count == 4)
        await cache.flush()
        #expect(try folder.files.isEmpty)
    }

    @Test func `a caller's own condition is sent unchanged`() async throws {
        let (service, _, _) = try service("{}", ["Cache-Control": "max-age=60"])
        let etag = try await service.call(Contract.seasons.call()).etag
        #expect(try await service.call(Contract.seasons.call(), CallOptions(ifNoneMatch: etag)).status == 304)
    }

    @Test func `other queries have other answers`() async throws {
        let transport = RecordingTransport { request in
            NetworkResponse(
                status: 200, headers: ["Cache-Control": "max-age=60"],
                data: Data("{\"q\":\"\(request.url.query() ?? "")\"}".utf8))
        }
        let (service, _) = try service(over: transport)
        for season in ["71", "72", "71"] {
            let answer = try await service.call(Contract.themes.call(query: SeasonQuery { $0.season = season }))
            #expect(text(answer).contains("season=\(season)"))
        }
        #expect(transport.requests.count == 2)
    }

    @Test func `a thousand equal calls share one request`() async throws {
        let gate = Gate()
        let (service, web, _) = try service("{}", gate: gate)
        let executor = SteppedExecutor()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<1_000 {
                group.addTask(executorPreference: executor) { _ = try await service.call(Contract.seasons.call()) }
            }
            await gate.held(1)
            await executor.settle()
            gate.open()
            try await group.waitForAll()
        }
        #expect(web.requests.count == 1)
    }

    @Test func `a cancelled call leaves the answer to the others`() async throws {
        let gate = Gate()
        let (service, web, _) = try service("{}", gate: gate)
        let first = Task { try await service.call(Contract.seasons.call()) }
        await gate.held(1)
        let executor = SteppedExecutor()
        let second = Task(executorPreference: executor) { try await service.call(Contract.seasons.call()) }
        await executor.settle()
        first.cancel()
        #expect(await failureReason { try await first.value } == .network(.cancelled))
        gate.open()
        #expect(text(try await second.value) == "{}")
        #expect(web.requests.count == 1)
    }

    @Test func `cancelling the last call cancels the request`() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Bool.self)
        let gate = Gate()
        let transport = StubTransport { _ throws(NetworkError) in
            await withTaskCancellationHandler {
                await gate.pass()
            } onCancel: {
                end.yield(true)
                gate.open()
            }
            throw .cancelled
        }
        let (service, _) = try service(over: transport)
        let tasks = (0..<3).map { _ in Task { try await service.call(Contract.seasons.call()) } }
        await gate.held(1)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        #expect(await ended.first { _ in true } == true)
    }

    // MARK: - On disk

    @Test func `answers outlive the process`() async throws {
        let (before, web, cache) = try service(#"{"items":[]}"#, folder: folder.url)
        _ = try await before.call(Contract.seasons.call())
        await cache.flush()
        web.setAway(true)
        let (after, _) = try service(over: web, folder: folder.url)
        let kept = try await after.call(Contract.seasons.call())
        #expect(text(kept) == #"{"items":[]}"#)
        #expect(kept.staleness?.asOf == Date.sample)
    }

    @Test(arguments: ["", #"{"items":[1"#, "garbage\u{0}"], [".head", ".body"])
    func `a damaged file is removed, and the answer requested again`(rubbish: String, suffix: String) async throws {
        let (before, web, cache) = try service(#"{"items":[1,2,3]}"#, folder: folder.url)
        _ = try await before.call(Contract.seasons.call())
        await cache.flush()
        let damaged = try #require(try folder.files.first { $0.path.hasSuffix(suffix) })
        try Data(rubbish.utf8).write(to: damaged)
        let (after, again) = try service(over: web, folder: folder.url)
        #expect(try await seasonsText(after) == #"{"items":[1,2,3]}"#)
        #expect(web.requests.last?.headers["If-None-Match"] == nil)
        await again.flush()
        #expect(try folder.files.count == 2)
    }

    @Test func `incomplete files of a crash are removed, and foreign files stay`() async throws {
        let draft = folder.file("0123456789abcdef.head.1-1.draft")
        let orphan = folder.file("0123456789abcdef-0123456789abcdef.body")
        let foreign = folder.file("notes.txt")
        for file in [draft, orphan, foreign] { try Data("x".utf8).write(to: file) }
        let (service, _, cache) = try service("{}", folder: folder.url)
        _ = try await service.call(Contract.seasons.call())
        await cache.flush()
        let left = try folder.files.map(\.lastPathComponent)
        #expect(left.contains("notes.txt"))
        #expect(!left.contains(draft.lastPathComponent) && !left.contains(orphan.lastPathComponent))
    }

    @Test func `calls succeed although the folder cannot be written`() async throws {
        let (service, _, cache) = try service("{}", folder: URL(filePath: "/dev/null/cache"))
        for _ in 0..<2 { #expect(try await seasonsText(service) == "{}") }
        await cache.flush()
    }

    @Test func `above the limit the least recently used answers are removed, in memory and on disk`() async throws {
        let filler = String(repeating: "x", count: 1_000)
        let transport = StubTransport { request in
            NetworkResponse(
                status: 200, headers: ["ETag": "\"1\""], data: Data("{\"\(request.url.path())\(filler)\":0}".utf8))
        }
        var limits = ResponseCache.Limits()
        limits.memoryBytes = 10_000
        limits.diskBytes = 20_000
        limits.entries = 100
        let (service, cache) = try service(over: transport, folder: folder.url, limits: limits)
        for number in 0..<100 { _ = try await service.call(Contract.product.call("p\(number)")) }
        await cache.flush()
        let bodies = try folder.files.filter { $0.pathExtension == "body" }
        #expect((5...20).contains(bodies.count))
        #expect(try folder.files.count == 2 * bodies.count)
        let bytes = try bodies.reduce(0) { try $0 + Data(contentsOf: $1).count }
        #expect(bytes <= 20_000)
        let last = try bodies.contains { String(decoding: try Data(contentsOf: $0), as: UTF8.self).contains("p99x") }
        #expect(last)
    }

    @Test func `the Age of an answer counts after a restart, too`() async throws {
        let (before, web, cache) = try service("{}", ["Cache-Control": "max-age=100", "Age": "90"], folder: folder.url)
        _ = try await before.call(Contract.seasons.call())
        await cache.flush()
        time.pass(.seconds(20))
        _ = try await service(over: web, folder: folder.url).service.call(Contract.seasons.call())
        #expect(web.requests.count == 2)
    }

    @Test func `a 304 for another answer does not confirm the stored one`() async throws {
        let transport = answering(tagged("{}"), tagged("", #""2""#, status: 304), tagged(#"{"items":[]}"#, #""2""#))
        let (service, _) = try service(over: transport)
        _ = try await service.call(Contract.seasons.call())
        #expect(try await service.call(Contract.seasons.call()).staleness != nil)
        #expect(try await seasonsText(service) == #"{"items":[]}"#)
        #expect(transport.requests.last?.headers["If-None-Match"] == nil)
    }

    @Test func `a 304 with the weak form of the same ETag confirms the stored answer`() async throws {
        let (service, _) = try service(over: answering(tagged("{}"), tagged("", #"W/"1""#, status: 304)))
        _ = try await service.call(Contract.seasons.call())
        #expect(try await service.call(Contract.seasons.call()).staleness == nil)
    }

    @Test func `an answer that must be revalidated is not used in the meantime`() async throws {
        let (service, web, _) = try service(
            "{}", ["Cache-Control": "max-age=10, stale-while-revalidate=50, must-revalidate"])
        _ = try await service.call(Contract.seasons.call())
        web.put(#"{"items":[1]}"#, at: seasons)
        time.pass(.seconds(11))
        #expect(try await seasonsText(service) == #"{"items":[1]}"#)
    }
}
