import Benchmarking

/// Sends prepared requests with wrk, over one connection for each client. A response that is an error throws.
public enum Wrk {
    public struct Result: Sendable {
        public let requests: Int
        public let perSecond: Double
        public let seconds: Double
        /// Milliseconds.
        public let median: Double
        public let p99: Double
        /// The size of a response with its head.
        public let bytesPerAnswer: Double
        /// Seconds of all processes of the machine, of wrk, too.
        public let processorSeconds: Double

        /// Microseconds of all processes of the machine for each request.
        public var processorTime: Double { processorSeconds / Double(requests) * 1e6 }
    }

    private static let report = """
        function done(summary, latency)
            io.write(string.format("RESULT %d %d %d %f %f %d\\n", summary.requests, summary.duration,
                summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout,
                latency:percentile(50), latency:percentile(99), summary.bytes))
        end
        """

    // MARK: Single requests

    private static let requestScript = """
        local requests, index = {}, 0
        function init(args)
            for line in io.lines(args[1]) do requests[#requests + 1] = line:gsub("\\31", "\\r\\n") end
        end
        function request()
            index = index % #requests + 1
            return requests[index]
        end
        """

    /// Sends requests that may overtake one another.
    ///
    /// - Parameter repeats: Whether requests may be sent more than once.
    public static func run(
        _ requests: [String], to url: String, seconds: Int, repeats: Bool, in folder: URL
    ) async throws -> Result {
        let list = folder.appending(path: "requests.txt")
        try write(requests, to: list)
        let result = try await run(requestScript, list, threads: 1, to: url, seconds: seconds, in: folder)
        guard repeats || result.requests + BenchShop.clients < requests.count else {
            throw BenchError("the load ran out of carts")
        }
        return result
    }

    // MARK: Journeys

    /// Each thread has one connection, and reads a file of its own as it goes.
    private static let journeyScript = """
        local threads = 0
        function setup(thread)
            threads = threads + 1
            thread:set("number", threads)
        end
        function init(args)
            list = io.open(args[1] .. "." .. number)
        end
        function request()
            local text = kept or list:read("*l")
            kept = nil
            if not text then error("the load ran out of journeys") end
            -- Before the start, wrk makes a request of the first thread to check it, and does not send it.
            if number == 1 and not checked then
                checked, kept = true, text
            end
            return (text:gsub("\\31", "\\r\\n"))
        end
        """

    /// Sends the requests of journeys, each after the answer to the one before it. A client has one journey at a time, and
    /// no journey is made twice.
    public static func run(journeys: [[String]], to url: String, seconds: Int, in folder: URL) async throws -> Result {
        let list = folder.appending(path: "journeys.txt")
        for client in 0..<BenchShop.clients {
            let own = stride(from: client, to: journeys.count, by: BenchShop.clients).flatMap { journeys[$0] }
            try write(own, to: list.appendingPathExtension("\(client + 1)"))
        }
        return try await run(journeyScript, list, threads: BenchShop.clients, to: url, seconds: seconds, in: folder)
    }

    // MARK: The program

    private static func write(_ requests: [String], to file: URL) throws {
        try requests.map { $0.replacingOccurrences(of: "\r\n", with: "\u{1f}") }.joined(separator: "\n")
            .write(to: file, atomically: true, encoding: .utf8)
    }

    private static func run(
        _ text: String, _ list: URL, threads: Int, to url: String, seconds: Int, in folder: URL
    ) async throws -> Result {
        let script = folder.appending(path: "load.lua")
        try (text + "\n" + report).write(to: script, atomically: true, encoding: .utf8)
        let before = try Processors.busySeconds
        let options = [
            "-t\(threads)", "-c\(BenchShop.clients)", "-d\(seconds)s", "--timeout", "20s", "-s", script.path,
        ]
        let output = try await Program.run("wrk", options + [url, "--", list.path])
        let fields = try output.numbers(ofLine: "RESULT ")
        guard fields.count == 6, fields[2] == 0, fields[0] > 0 else { throw BenchError("error responses: \(output)") }
        return Result(
            requests: Int(fields[0]), perSecond: fields[0] / fields[1] * 1e6, seconds: fields[1] / 1e6,
            median: fields[3] / 1e3, p99: fields[4] / 1e3, bytesPerAnswer: fields[5] / fields[0],
            processorSeconds: try Processors.busySeconds - before)
    }
}
