import Foundation
import PouchNetwork
import PouchService
import PouchWire
import Testing

struct HostileBodyTests {
    private func failure(of response: NetworkResponse, to path: Path = .catalog(.seasons())) async throws
        -> ServiceError
    {
        let service = try makeService(over: StubTransport { _ in response })
        do throws(ServiceError) {
            _ = try await service.call(path)
        } catch {
            return error
        }
        throw CocoaError(.featureUnsupported)
    }

    @Test(arguments: [
        ("<html><body>Welcome</body></html>", "application/json"),
        ("java.sql.SQLException: ORA-01017", "application/json"),
        ("null", "application/json"), ("", "application/json"), (" \n", "application/json"), ("OK", "text/plain"),
    ])
    func `a success that is not JSON is an error, whatever its media type says`(
        body: String, type: String
    ) async throws {
        let error = try await failure(of: .text(body, type: type))
        guard case .unreadable = error.reason else {
            Issue.record("\(error)")
            return
        }
        #expect(error.status == 200)
        #expect(error.requestId == "req-text")
        #expect(error.body == Data(body.utf8))
    }

    @Test func `a success status with an error body is that error`() async throws {
        let body = Fixture.data(Problem(.unavailable, requestId: "req-7"))
        let error = try await failure(of: NetworkResponse(status: 200, data: body))
        #expect(error.reason == .refused)
        #expect(error.problem?.code == .unavailable)
        #expect(error.requestId == "req-7")
    }

    @Test(arguments: [
        ("", 1), ("<html>Bad Gateway</html>", 1), ("{\"error\":\"x\"}", 1), ("[", 4), ("[", 100_000),
    ])
    func `an error status with any body is an error with the status and the first bytes`(
        part: String, count: Int
    ) async throws {
        let body = String(repeating: part, count: count)
        let error = try await failure(of: .text(body, status: 502))
        #expect(error.reason == .refused)
        #expect(error.status == 502)
        #expect(error.problem == nil)
        #expect(error.body == Data(body.utf8))
        #expect(error.description.utf8.count < 1_000)
    }

    @Test func `a huge error body is cut`() async throws {
        let error = try await failure(of: .text(String(repeating: "x", count: 1 << 20), status: 500))
        #expect(error.body.count == 128 << 10)
    }

    @Test func `a garbled session keeps its tokens out of the error`() async throws {
        for body in ["{\"remoteSession\":{\"accessToken\":\"secret\"}}", "x secret"] {
            let error = try await failure(of: .text(body, status: 201), to: .account(.startGuestSession))
            #expect(error.body.isEmpty)
            #expect(!error.description.contains("secret"))
        }
    }

    @Test func `an answer that looks like JSON is handed up as it came`() async throws {
        for body in [" {\"items\":[nothing]}\n", #"{"items":"[{\"","path":"\\"}"#, "{\"items\":\"[{\n}"] {
            let service = try makeService(over: StubTransport { _ in .text(body) })
            #expect(try await service.call(.catalog(.seasons())).data == Data(body.utf8))
        }
    }

    @Test func `an answer that is as long as was announced is not looked through`() async throws {
        let body = Data(#"{"items":[{"id":1}"#.utf8)
        let response = NetworkResponse(status: 200, headers: ["Content-Length": "\(body.count)"], data: body)
        let service = try makeService(over: StubTransport { _ in response })
        #expect(try await service.call(.catalog(.seasons())).data == body)
    }

    @Test func `assets may be any bytes`() async throws {
        let service = try makeService(over: StubTransport { _ in .text("<svg/>", type: "image/svg+xml") })
        #expect(try await service.call(.system(.asset(path: "a.svg"))).data == Data("<svg/>".utf8))
    }
}
