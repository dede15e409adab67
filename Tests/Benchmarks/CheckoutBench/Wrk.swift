import Benchmarking
import Foundation

/// Sends prepared requests with wrk, over as many connections as there are clients.
struct Wrk {
    struct Result {
        let requests: Int
        let perSecond: Double
        /// Milliseconds.
        let median: Double
        let p99: Double
        /// Bytes that were answered with each request, with the heads.
        let bytesPerAnswer: Double
    }

    private static let script = """
        local requests, index = {}, 0
        function init(args)
            for line in io.lines(args[1]) do requests[#requests + 1] = line:gsub("\\31", "\\r\\n") end
        end
        function request()
            index = index % #requests + 1
            return requests[index]
        end
        function done(summary, latency)
            io.write(string.format("RESULT %d %d %d %f %f %d\\n", summary.requests, summary.duration,
                summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout,
                latency:percentile(50), latency:percentile(99), summary.bytes))
        end
        """

    /// - Parameter repeats: whether the requests may be sent more than once.
    /// - Throws: `BenchError` when an answer was not good.
    static func run(
        _ requests: [String], to url: String, seconds: Int, repeats: Bool, in folder: URL
    ) async throws -> Result {
        let script = folder.appending(path: "load.lua")
        let list = folder.appending(path: "requests.txt")
        try Self.script.write(to: script, atomically: true, encoding: .utf8)
        try requests.map { $0.replacingOccurrences(of: "\r\n", with: "\u{1f}") }.joined(separator: "\n")
            .write(to: list, atomically: true, encoding: .utf8)
        let output = try await Program.run(
            "wrk",
            [
                "-t1", "-c\(CheckoutBench.clients)", "-d\(seconds)s", "--timeout", "20s", "-s", script.path, url, "--",
                list.path,
            ])
        guard let line = output.split(separator: "\n").first(where: { $0.hasPrefix("RESULT ") }) else {
            throw BenchError("wrk said: \(output)")
        }
        let fields = line.split(separator: " ").dropFirst().compactMap { Double($0) }
        guard fields.count == 6, fields[2] == 0, fields[0] > 0 else { throw BenchError("bad answers: \(output)") }
        guard repeats || Int(fields[0]) + CheckoutBench.clients < requests.count else {
            throw BenchError("there were too few carts")
        }
        return Result(
            requests: Int(fields[0]), perSecond: fields[0] / fields[1] * 1e6, median: fields[3] / 1e3,
            p99: fields[4] / 1e3, bytesPerAnswer: fields[5] / fields[0])
    }
}
