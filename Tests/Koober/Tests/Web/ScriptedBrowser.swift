import Foundation
import KooberTexts
import Subprocess
import SystemPackage
import Testing

/// A browser with one page, in a process that runs `Tests/Web/scenarios.py`.
///
/// It takes one step after the other: a line of JSON each, which the process answers with a line.
struct ScriptedBrowser: Sendable {
    enum Step: Encodable {
        case opens(address: String)
        /// Waits until the page shows these texts in this language, and has these forms that can be sent and no others.
        case sees(language: String, texts: [String], forms: Set<[String]>)
        /// Fills in a form of the page and sends it.
        case performs(form: [String], input: [String: String])
    }

    private struct Request {
        let line: String
        let answer: CheckedContinuation<String?, Never>
    }

    /// The browsers of the suite.
    @TaskLocal static var shared: [Language: ScriptedBrowser] = [:]

    /// The command that starts the process; nil if the tests run without a browser.
    static var command: [String]? {
        ProcessInfo.processInfo.environment["KOOBER_BROWSER"]?.split(separator: " ").map(String.init)
    }

    private let requests: AsyncStream<Request>.Continuation

    /// Takes the step, and returns what is wrong, or nil.
    func takes(_ step: Step) async throws -> String? {
        let line = String(decoding: try JSONEncoder().encode(step), as: UTF8.self) + "\n"
        let answer = await withCheckedContinuation { requests.yield(Request(line: line, answer: $0)) }
        return answer == "ok" ? nil : answer ?? "The browser has ended."
    }

    /// Starts a browser, and ends it after the body.
    static func run(_ command: [String], _ body: @Sendable (ScriptedBrowser) async throws -> Void) async throws {
        let (requests, continuation) = AsyncStream.makeStream(of: Request.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await answer(requests, command) }
            defer { continuation.finish() }
            try await body(ScriptedBrowser(requests: continuation))
            continuation.finish()
            try await group.waitForAll()
        }
    }

    private static func answer(_ requests: AsyncStream<Request>, _ command: [String]) async throws {
        let result = try await Subprocess.run(
            .path(FilePath(command[0])), arguments: Arguments(Array(command.dropFirst())), input: .inputWriter,
            output: .sequence, error: .string(limit: 1 << 20)
        ) { execution in
            var answers = execution.standardOutput.strings().makeAsyncIterator()
            for await request in requests {
                do {
                    _ = try await execution.standardInputWriter.write(request.line)
                    request.answer.resume(returning: try await answers.next())
                } catch {
                    request.answer.resume(returning: "\(error)")
                }
            }
            try await execution.standardInputWriter.finish()
        }
        #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
    }
}
