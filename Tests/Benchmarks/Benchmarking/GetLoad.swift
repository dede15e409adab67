import Foundation

/// One URL to load with wrk, over 64 connections.
public struct GetLoad: Sendable {
    public let name: String
    private let url: String
    private let headers: [String]
    private let status: Int
    private let comparedWith: [String: Double?]

    /// - Parameters:
    ///   - headers: lines as in a request.
    ///   - comparedWith: the names of other loads, with the least ratio that is the goal; nil for no goal.
    public init(
        _ name: String, _ url: String, headers: [String] = [], status: Int = 200, comparedWith: [String: Double?] = [:]
    ) {
        (self.name, self.url, self.headers, self.status) = (name, url, headers, status)
        self.comparedWith = comparedWith
    }

    /// Runs the loads in turn, so that a slow moment of the machine affects all of them, and prints the medians.
    public static func measure(_ loads: [GetLoad], rounds: Int, seconds: Int) async throws {
        var rates: [String: [Double]] = [:]
        for round in 1...rounds {
            for load in loads {
                FileHandle.standardError.write(Data("round \(round) of \(rounds): \(load.name)\n".utf8))
                // The server may still work for requests of the load before, which wrk no longer waits for.
                try await load.check()
                rates[load.name, default: []].append(try await load.run(seconds: seconds))
            }
        }
        let medians = rates.mapValues(\.median)
        let width = max(30, (loads.map(\.name.count).max() ?? 0) + 2)
        for load in loads {
            let median = medians[load.name] ?? 0
            let ratios = load.comparedWith.sorted { $0.key < $1.key }.map { name, goal in
                let ratio = (median / (medians[name] ?? 0)).text(2)
                return "\(ratio) of \(name)" + (goal.map { " (goal: at least \($0.text(2)))" } ?? "")
            }
            sayRow(load.name, width, ["\(Int(median)) requests/s"], 20, note: "   " + ratios.joined(separator: ", "))
        }
    }

    /// Checks that the URL answers with the expected status, so that errors are not measured.
    private func check() async throws {
        let options = ["-k", "-o", "/dev/null", "-w", "%{http_code}"]
        let output = try await Program.curl(url, options, headers: headers)
        guard Int(output) == status else { throw BenchError("\(name): status \(output) instead of \(status)") }
    }

    private func run(seconds: Int) async throws -> Double {
        let headers = headers.flatMap { ["-H", $0] }
        let output = try await Program.run("wrk", ["-t1", "-c64", "-d\(seconds)s"] + headers + [url])
        guard !output.contains("Non-2xx or 3xx") else { throw BenchError("\(name): error responses: \(output)") }
        return try output.numbers(ofLine: "Requests/sec:")[0]
    }
}
