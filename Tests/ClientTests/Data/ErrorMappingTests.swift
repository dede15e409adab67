import Foundation
import PouchContract
import PouchData
import PouchEntities
import PouchNetwork
import PouchService
import PouchWire
import Testing

struct ErrorMappingTests {
    private func failure(_ response: Result<NetworkResponse, NetworkError>) async throws -> DataError {
        let transport = StubTransport { _ throws(NetworkError) in try response.get() }
        let store = MemorySessionStore(Fixture.data(Fixture.session()))
        let data = DataManager(service: try makeService(over: transport, store: store))
        do throws(DataError) {
            _ = try await data.checkout(
                Fixture.cart(), paymentMethod: .card(token: "tok_ok"), expectedTotal: Fixture.euros(1), email: nil)
        } catch {
            return error
        }
        throw CocoaError(.featureUnsupported)
    }

    @Test func `the members that codes add reach the model`() async throws {
        let short = [StockShortfall(sku: "a", available: 2)]
        let changes = [CartChange.priceChanged(sku: "a", from: Fixture.euros(1), to: Fixture.euros(2))]
        #expect(
            try await failure(.success(.problem(.outOfStock) { ProblemDetails($0, lines: short) })).reason
                == .outOfStock(short))
        #expect(
            try await failure(.success(.problem(.priceChanged) { ProblemDetails($0, changes: changes) })).reason
                == .priceChanged(changes))
        #expect(
            try await failure(.success(.problem(.paymentDeclined) { ProblemDetails($0, declineCode: "stolen") })).reason
                == .paymentDeclined(code: "stolen"))
    }

    @Test func `fields that are not right are named`() async throws {
        let problem = Problem(
            .validationFailed, errors: [FieldProblem(field: "email", code: "invalid", detail: "No address.")])
        let error = try await failure(.success(.json(problem, status: 422)))
        #expect(error.reason == .validation([InvalidField(field: "email", detail: "No address.")]))
        #expect(error.errorDescription?.contains("No address") == true)
    }

    @Test(arguments: ProblemCode.table.map(\.code).filter { ![.unauthenticated, .tokenExpired].contains($0) })
    func `every code of the contract has a text for people and keeps its request id`(code: ProblemCode) async throws {
        let error = try await failure(.success(.problem(code)))
        #expect(error.requestId == "req-1")
        #expect(error.errorDescription?.isEmpty == false)
        #expect(error.recoverySuggestion?.isEmpty == false)
        #expect(error.description.contains(code.rawValue), "the log names the code")
    }

    @Test func `a code of a later version is kept by name`() async throws {
        let error = try await failure(
            .success(.json(Problem(ProblemCode(rawValue: "moon_phase"), detail: "Wrong moon."), status: 409)))
        #expect(error.reason == .unexpected(code: "moon_phase"))
        #expect(error.errorDescription == "Wrong moon.")
    }

    @Test(arguments: [
        (NetworkError.unreachable("x"), DataError.Reason.unreachable), (.timedOut, .timedOut), (.cancelled, .cancelled),
        (.untrusted("x"), .untrustedServer),
    ])
    func `what the network did is told in the model's terms`(error: NetworkError, reason: DataError.Reason) async throws
    {
        #expect(try await failure(.failure(error)).reason == reason)
    }

    @Test func `an order that cannot be read leaves the outcome open, a declined card does not`() async throws {
        #expect(try await failure(.success(.text("{}", status: 201))).leavesOutcomeOpen)
        #expect(try await failure(.failure(.timedOut)).leavesOutcomeOpen)
        #expect(try await failure(.success(.problem(.paymentDeclined))).leavesOutcomeOpen == false)
    }

    @Test func `Retry-After reaches the model`() async throws {
        var response = NetworkResponse.problem(.overloaded)
        var headers = response.headers
        headers["Retry-After"] = "7"
        response = NetworkResponse(status: response.status, headers: headers, data: response.data)
        #expect(try await failure(.success(response)).reason == .busy(retryAfter: .seconds(7)))
    }
}
