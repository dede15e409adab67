import ClientTesting
import Foundation
import PouchContract
import PouchData
import PouchEntities
import PouchJSON
import PouchNetwork
import PouchService
import PouchTesting
import PouchWire
import Testing

struct ErrorMappingTests {
    private func reason(_ response: NetworkResponse) async throws -> DataError.Reason {
        try await failure(.success(response)).reason
    }

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

    @Test func `the details of an error code reach the model`() async throws {
        let short = [StockShortfall(sku: "a", available: 2)]
        let changes = [CartChange.priceChanged(sku: "a", from: Fixture.euros(1), to: Fixture.euros(2))]
        #expect(try await reason(.problem(.outOfStock) { ProblemDetails($0, lines: short) }) == .outOfStock(short))
        let changed = NetworkResponse.problem(.priceChanged) { ProblemDetails($0, changes: changes) }
        #expect(try await reason(changed) == .priceChanged(changes))
        let declined = NetworkResponse.problem(.paymentDeclined) { ProblemDetails($0, declineCode: "stolen") }
        #expect(try await reason(declined) == .paymentDeclined(code: "stolen"))
    }

    @Test func `the error names invalid fields`() async throws {
        let field = FieldProblem(field: "email", code: "invalid", detail: "No address.")
        let problem = Problem(.validationFailed, errors: [field])
        let error = try await failure(.success(.json(problem, status: 422)))
        #expect(error.reason == .validation([InvalidField(field: "email", detail: "No address.")]))
        #expect(error.errorDescription?.contains("No address") == true)
    }

    @Test(arguments: ProblemCode.all.filter { ![.unauthenticated, .tokenExpired].contains($0) })
    func `every error code has texts for people and keeps its request id`(code: ProblemCode) async throws {
        let error = try await failure(.success(.problem(code)))
        #expect(error.requestId == "req-1")
        #expect(error.errorDescription?.isEmpty == false)
        #expect(error.recoverySuggestion?.isEmpty == false)
        #expect(error.description.contains(code.rawValue), "the log names the code")
    }

    /// Refusals of a malformed request. A program that uses the SDK can neither cause nor correct one, except by
    /// sending a file that is too large.
    private static let malformed: Set<ProblemCode> = [
        .invalidRequest, .invalidJSON, .invalidQuery, .invalidHeader, .idempotencyKeyRequired, .methodNotAllowed,
        .bodyTooLarge, .unsupportedMediaType, .rangeNotSatisfiable, .unknownField, .jsonTooDeep, .headersTooLarge,
    ]

    @Test(arguments: ProblemCode.all)
    func `every error code has a known reason, except those of malformed requests`(code: ProblemCode) async throws {
        let known = try await reason(.problem(code))
        #expect((known == .unexpected(code: code.rawValue)) == Self.malformed.contains(code))
    }

    @Test func `a full list is a refusal with a next step`() async throws {
        let error = try await failure(.success(.problem(.limitReached)))
        #expect(error.reason == .limitReached && !error.mayHaveTakenEffect)
        #expect(error.errorDescription == "The list has reached its limit.")
        #expect(error.recoverySuggestion == "Delete an entry that you no longer need, then try again.")
    }

    @Test func `an unknown error code is kept by name`() async throws {
        let problem = Problem(ProblemCode(rawValue: "moon_phase"), detail: "Wrong moon.")
        let error = try await failure(.success(.json(problem, status: 409)))
        #expect(error.reason == .unexpected(code: "moon_phase") && error.errorDescription == "Wrong moon.")
    }

    @Test(arguments: [
        (NetworkError.unreachable("x"), DataError.Reason.unreachable), (.connectionLost("x"), .connectionLost),
        (.tooManyRedirects, .unreadableAnswer), (.timedOut, .timedOut), (.cancelled, .cancelled),
        (.untrusted("x"), .untrustedServer), (.noTLS("x"), .noTLS), (.noHTTP("x"), .noHTTP),
        (.invalidAddress, .invalidAddress),
    ])
    func `network errors become errors of the model`(error: NetworkError, reason: DataError.Reason) async throws {
        #expect(try await failure(.failure(error)).reason == reason)
    }

    @Test func `an unreadable order leaves the outcome open, a declined card does not`() async throws {
        #expect(try await failure(.success(.text("{}", status: 201))).mayHaveTakenEffect)
        #expect(try await failure(.failure(.timedOut)).mayHaveTakenEffect)
        #expect(try await failure(.success(.problem(.paymentDeclined))).mayHaveTakenEffect == false)
    }

    @Test func `Retry-After reaches the model`() async throws {
        let problem = Problem(.overloaded)
        let response = NetworkResponse.json(problem, status: problem.status, headers: ["Retry-After": "7"])
        #expect(try await reason(response) == .busy(retryAfter: .seconds(7)))
    }
}

struct ReasonCodeTests {
    private static let codes: [(DataError.Reason, String)] = [
        (.invalidCredentials, "invalidCredentials"), (.wrongPassword, "wrongPassword"),
        (.secondFactorRequired, "secondFactorRequired"), (.secondFactorInvalid, "secondFactorInvalid"),
        (.secondFactorEnabled, "secondFactorEnabled"), (.secondFactorNeeded, "secondFactorNeeded"),
        (.freshSignInRequired, "freshSignInRequired"), (.apiKeyInvalid, "apiKeyInvalid"), (.emailTaken, "emailTaken"),
        (.alreadyVerified, "alreadyVerified"), (.emailUnverified, "emailUnverified"),
        (.tooManyAttempts(retryAfter: .seconds(1)), "tooManyAttempts"), (.notSignedIn, "notSignedIn"),
        (.sessionEnded, "sessionEnded"), (.forbidden, "forbidden"), (.notFound, "notFound"),
        (.unknownSKU, "unknownSKU"), (.notOffered, "notOffered"), (.listChanged, "listChanged"),
        (.outOfStock([StockShortfall(sku: "a", available: 2)]), "outOfStock"),
        (.notForSale([StockShortfall(sku: "a", available: 2)]), "notForSale"), (.priceChanged([]), "priceChanged"),
        (.cartEmpty, "cartEmpty"), (.cartFull, "cartFull"), (.shippingRequired, "shippingRequired"),
        (.unknownShippingMethod, "unknownShippingMethod"), (.locationRequired, "locationRequired"),
        (.emailRequired, "emailRequired"), (.discountInvalid, "discountInvalid"), (.discountExpired, "discountExpired"),
        (.discountExhausted, "discountExhausted"), (.paymentDeclined(code: "x"), "paymentDeclined"),
        (.paymentProviderFailed, "paymentProviderFailed"), (.stillRunning(retryAfter: .seconds(1)), "stillRunning"),
        (.keyReused, "keyReused"), (.notCancellable, "notCancellable"), (.deliverySettled, "deliverySettled"),
        (.changedElsewhere, "changedElsewhere"), (.linkInvalid, "linkInvalid"), (.linkExpired, "linkExpired"),
        (.rideInProgress, "rideInProgress"), (.quoteExpired, "quoteExpired"), (.quoteMismatch, "quoteMismatch"),
        (.rideNotCompleted, "rideNotCompleted"), (.eventsMissed, "eventsMissed"), (.lastOwner, "lastOwner"),
        (.codeTaken, "codeTaken"), (.statusConflict, "statusConflict"), (.handleTaken, "handleTaken"),
        (.skuTaken, "skuTaken"), (.stillUsed, "stillUsed"), (.invalidPicture, "invalidPicture"),
        (.stockNegative, "stockNegative"), (.notFulfillable, "notFulfillable"), (.notDeliverable, "notDeliverable"),
        (.refundExceedsCapture, "refundExceedsCapture"), (.invalidFeed, "invalidFeed"), (.limitReached, "limitReached"),
        (.validation([InvalidField(field: "a(b", detail: "c")]), "validation"), (.unreachable, "unreachable"),
        (.connectionLost, "connectionLost"), (.untrustedServer, "untrustedServer"), (.noTLS, "noTLS"),
        (.noHTTP, "noHTTP"), (.invalidAddress, "invalidAddress"), (.timedOut, "timedOut"), (.cancelled, "cancelled"),
        (.busy(retryAfter: .seconds(1)), "busy"), (.serverFailed, "serverFailed"),
        (.unreadableAnswer, "unreadableAnswer"), (.outcomeUnknown, "outcomeUnknown"),
        (.sessionStorage, "sessionStorage"), (.localStore, "localStore"), (.fileStorage, "fileStorage"),
        (.unexpected(code: "x"), "unexpected"),
    ]

    @Test func `each reason has the code that scripts rely on, with any values`() {
        for (reason, code) in Self.codes { #expect(reason.code == code) }
        #expect(Set(Self.codes.map(\.1)).count == Self.codes.count)
    }
}

/// The rows that could not be read.
typealias RowReports = Collector<RowReport>

struct RowTests {
    private func data(_ body: String, _ reports: RowReports = RowReports()) throws -> DataManager {
        let service = try makeService(
            over: StubTransport { _ in .text(body) }, store: MemorySessionStore(Fixture.data(Fixture.session())))
        return DataManager(service: service, reportRow: { reports.add($0) })
    }

    private func json(_ value: some JSONCodable) -> String { String(decoding: Fixture.data(value), as: UTF8.self) }

    @Test func `bad rows are reported, and the others are read in order`() async throws {
        let good = [json(Fixture.product("a")), json(Fixture.product("b"))]
        let noName = good[0].replacingOccurrences(of: #""name":"a","#, with: "")
        let reports = RowReports()
        let data = try data("{\"items\":[\(noName),\(good[0]),7,null,\(good[1]),[]],\"nextCursor\":\"n\"}", reports)
        let page = try await data.products(ProductQuery())
        #expect(page.items.map(\.handle) == ["a", "b"] && page.nextCursor == "n")
        let rows = reports.all
        #expect(page.unreadable == rows && rows.map(\.row) == [0, 2, 3, 5])
        let first = try #require(rows.first)
        #expect((first.list, first.reason, first.requestId) == ("products", "name is missing", "req-text"))
    }

    /// An export that goes to the accountant must not lack an order without a word.
    @Test func `a list of the administration with an unreadable row is an error that names the row`() async throws {
        let reports = RowReports()
        let admin = AdminManager(data: try data("{\"items\":[\(json(Fixture.order())),{\"id\":\"ord_2\"}]}", reports))
        let error = await #expect(throws: DataError.self) { try await admin.orders() }
        #expect(error?.reason == .unreadableAnswer && error?.requestId == "req-text")
        #expect(error?.log.contains("allOrders, row 1") == true)
        #expect(reports.all.map(\.row) == [1])
        await #expect(throws: DataError.self) { try await admin.stock() }
    }

    @Test func `a page of orders is read without its bad row`() async throws {
        let reports = RowReports()
        let page = try await data("{\"items\":[{},\(json(Fixture.order()))]}", reports).orders()
        #expect(page.items.map(\.id) == ["ord_1"])
        #expect(reports.all.map(\.list) == ["orders"])
    }

    @Test func `unreadable facets do not affect the products`() async throws {
        let body = "{\"items\":[\(json(Fixture.product("a")))],\"facets\":[{\"name\":1}]}"
        let page = try await data(body).products(ProductQuery())
        #expect(page.items.count == 1 && page.facets == nil)
    }

    @Test(arguments: ["{}", #"{"items":{}}"#, #"{"items":["#, "[]"])
    func `an answer that is not a page is an error`(body: String) async throws {
        #expect(await thrownReason { try await data(body).products(ProductQuery()) } == .unreadableAnswer)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct LongLifeTests {
    /// A handler that is wrapped once more with each call would overflow the stack by then.
    @Test func `many calls do not make the contact handler slower`() async throws {
        let page = NetworkResponse.json(Page<Product>(items: []))
        let data = DataManager(service: try makeService(over: StubTransport { _ in page }))
        let count = Counter()
        data.onContact { _ in count.increment() }
        for _ in 0..<30_000 { _ = try await data.products(ProductQuery()) }
        #expect(count.value == 30_000)
    }
}
