import Benchmarking

/// One URL under the load of wrk.
struct Load {
    let name: String
    private let url: String
    private let header: String?
    private let status: Int

    init(_ name: String, _ url: String, header: String? = nil, status: Int = 200) {
        self.name = name
        self.url = url
        self.header = header
        self.status = status
    }

    /// Makes sure that what is measured is the answer that is meant.
    func check() async throws {
        let options = ["-s", "-o", "/dev/null", "-w", "%{http_code}"]
        let output = try await Program.run("curl", options + headerArguments + [url])
        guard Int(output) == status else { throw BenchError("\(name): status \(output) in place of \(status)") }
    }

    /// - Returns: requests per second.
    func run(seconds: Int) async throws -> Double {
        let output = try await Program.run("wrk", ["-t1", "-c64", "-d\(seconds)s"] + headerArguments + [url])
        guard let line = output.split(separator: "\n").first(where: { $0.hasPrefix("Requests/sec:") }),
            let rate = line.split(separator: " ").last.flatMap({ Double($0) })
        else { throw BenchError("wrk said: \(output)") }
        return rate
    }

    private var headerArguments: [String] { header.map { ["-H", $0] } ?? [] }
}
