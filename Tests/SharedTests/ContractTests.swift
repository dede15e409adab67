import Foundation
import PouchContract
import PouchJSON
import PouchWire
import Testing

@Suite("The contract")
struct ContractTests {
    @Test func `Endpoints have unique names and unique routes`() {
        #expect(Set(Endpoint.all.map(\.name)).count == Endpoint.all.count)
        #expect(Set(Endpoint.all.map { "\($0.method.rawValue) \(shape($0.template))" }).count == Endpoint.all.count)
    }

    @Test func `Every exchange is listed, and has the name of its constant`() throws {
        let folder = root.appending(path: "Shared/Sources/PouchContract")
        var declared: [String] = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /public static let (\w+) = Exchange<[^(]+>\(\s*(?:"(\w+)"|\.(\w+))/) {
                #expect(match.1 == match.2 ?? match.3)
                declared.append(String(match.1))
            }
        }
        #expect(declared.sorted() == Contract.all.map(\.endpoint.name).sorted())
    }

    @Test(arguments: 0..<Contract.all.count)
    func `Shop endpoints are under /v1 and respond with a success status`(place: Int) {
        let exchange = Contract.all[place]
        let isSystem = ["healthLive", "healthReady", "openAPI", "asset"].contains(exchange.endpoint.name)
        #expect(exchange.endpoint.template.description.hasPrefix("/v1/") != isSystem)
        #expect([200, 201, 202, 204].contains(exchange.status))
    }

    /// The template without the names of its parameters, which do not distinguish two routes.
    private func shape(_ template: PathTemplate) -> [String] {
        template.segments.map { segment in
            switch segment {
            case .literal(let text): text
            case .parameter: "{}"
            case .rest: "{...}"
            }
        }
    }
}

@Suite("The table of problems")
struct ProblemTableTests {
    @Test func `Every declared code is listed once, and every listed code is declared`() throws {
        let source = try String(
            contentsOf: root.appending(path: "Shared/Sources/PouchWire/ProblemCode.swift"), encoding: .utf8)
        let declared = source.matches(of: /static let \w+ = Self\(\s*"(\w+)"/).map { String($0.1) }
        #expect(declared.count > 20)
        #expect(Set(declared).count == declared.count)
        #expect(declared.sorted() == ProblemCode.all.map(\.rawValue).sorted())
    }

    @Test(arguments: ProblemCode.all)
    func `Codes are snake case, statuses are errors, titles have no full stop`(code: ProblemCode) {
        #expect(code.rawValue.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil)
        #expect((400...599).contains(code.status))
        #expect(code.title.first?.isUppercase == true && !code.title.hasSuffix("."))
        // Only these statuses have `Should-Retry`.
        #expect(!code.shouldRetry || code.status == 409 || code.status == 429 || code.status >= 500)
    }

    @Test func `A problem has the status and title of its code`() {
        let problem = Problem(.cartEmpty)
        #expect(problem.type == "about:blank#cart_empty" && problem.status == 409)
        #expect(problem.title == ProblemCode.cartEmpty.title)
        #expect(!ProblemCode.all.contains(ProblemCode(rawValue: "not_ours")))
        #expect(Problem(ProblemCode(rawValue: "not_ours")).status == 500)
    }

    @Test func `Failures of the strict decoder have their codes`() {
        #expect(JSONError.malformed.code == .invalidJSON && JSONError.tooDeep.code == .jsonTooDeep)
    }
}

/// The folder of the repository. A program cannot list its static members, so tests read the sources.
private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// The cost of a new endpoint with a table, shown by one that exists.
@Suite("The recipe for an endpoint with a table")
struct EndpointRecipeTests {
    @Test func `CONTRIBUTING.md lists at most nine files, and the endpoint is spelled in no other`() throws {
        let text = try String(contentsOf: root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
        let section = try #require(
            text.components(separatedBy: "\n## ").first { $0.hasPrefix("An endpoint with a table\n") })
        let listed = section.matches(of: /\n\d+\. [^`]*`([^`]+)`/).map { String($0.output.1) }
        #expect((8...9).contains(listed.count))
        // The table itself may be read by others, such as the query for the price that holds now.
        let plumbing =
            /schedulePrice|scheduledPrices\b|ScheduledPrice|PriceSchedule|"scp_"|CREATE TABLE scheduled_prices/
        var found: Set<String> = []
        for package in ["Shared", "Server"] {
            let sources = root.appending(path: package + "/Sources")
            for file in try #require(FileManager.default.enumerator(atPath: sources.path))
                .map({ sources.appending(path: "\($0)") }) where file.pathExtension == "swift"
            {
                // Pages show what there is to do with an endpoint, and the documentation how the SDK calls it. Neither is
                // needed for one.
                guard Set(["PouchWeb", "PouchOpenAPI"]).isDisjoint(with: file.pathComponents) else { continue }
                guard try String(contentsOf: file, encoding: .utf8).contains(plumbing) else { continue }
                found.insert(String(file.path.dropFirst(root.path.count + 1)))
            }
        }
        #expect(found.subtracting(listed).isEmpty)
        #expect(Set(listed).subtracting(found) == ["Server/Sources/PouchStorage/Schema/Migrations.swift"])
    }
}
