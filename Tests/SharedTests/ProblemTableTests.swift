import Foundation
import PouchWire
import Testing

@Suite("Table of problems")
struct ProblemTableTests {
    @Test("Every code stands in the table once")
    func unique() {
        let codes = ProblemCode.table.map(\.code)
        #expect(Set(codes).count == codes.count)
    }

    /// Read from the source, since a program cannot list its static members.
    @Test("Every code that is declared has a row, and every row its declaration")
    func complete() throws {
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Shared/Sources/PouchWire/Problem/ProblemCode.swift")
        let text = try String(contentsOf: source, encoding: .utf8)
        let declared = text.matches(of: /static let \w+ = Self\(rawValue: "(\w+)"\)/).map { String($0.1) }
        #expect(declared.count > 20)
        #expect(Set(declared).count == declared.count)
        #expect(Set(declared) == Set(ProblemCode.table.map(\.code.rawValue)))
    }

    @Test("Codes are snake case, statuses errors, titles sentences without an end", arguments: ProblemCode.table)
    func rows(row: ProblemRow) {
        #expect(row.code.rawValue.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil)
        #expect((400...599).contains(row.status))
        #expect(row.title.first?.isUppercase == true)
        #expect(!row.title.hasSuffix("."))
        // `Should-Retry` stands on these alone.
        #expect(!row.shouldRetry || row.status == 409 || row.status == 429 || row.status >= 500)
    }

    @Test("A problem has what the table says of its code")
    func fromTable() {
        let problem = Problem(.cartEmpty)
        #expect(problem.type == "about:blank#cart_empty")
        #expect(problem.status == 409)
        #expect(problem.title == ProblemCode.cartEmpty.row?.title)
        #expect(ProblemCode(rawValue: "not_ours").row == nil)
        #expect(Problem(ProblemCode(rawValue: "not_ours")).status == 500)
    }

    @Test("What the strict decoder refuses has the code of the table")
    func failures() {
        #expect(StrictJSON.Failure.malformed.code == .invalidJSON)
        #expect(StrictJSON.Failure.tooDeep.code == .jsonTooDeep)
    }
}
