import Foundation
import Subprocess
import SystemPackage

/// Runs programs of the system.
public enum Program {
    /// The path of this program.
    public static let own = Bundle.main.executableURL?.path ?? CommandLine.arguments[0]

    /// Runs a program, by its path or by a name to look up as a shell does, and returns its output, at most 1 MB.
    public static func run(_ name: String, _ arguments: [String]) async throws -> String {
        let result = try await Subprocess.run(
            name.contains("/") ? .path(FilePath(name)) : .name(name), arguments: .init(arguments), input: .none,
            output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        guard result.terminationStatus.isSuccess else {
            throw BenchError("\(name): \(result.standardError) \(result.standardOutput)")
        }
        return result.standardOutput
    }

    /// Returns the answer to a GET request. The headers are lines as in a request.
    public static func curl(_ url: String, _ options: [String] = [], headers: [String] = []) async throws -> String {
        try await run("curl", ["-sS"] + options + headers.flatMap { ["-H", $0] } + [url])
    }

    /// Runs statements on a PostgreSQL database, each in a transaction, and returns what they select, one value a line.
    @discardableResult
    public static func psql(_ address: String, _ statements: String...) async throws -> String {
        try await run("psql", ["-XAtq", "-d", address] + statements.flatMap { ["-c", $0] })
    }
}

/// A server in its own process, which prints its address on standard output.
public struct ServerProcess: Sendable {
    public let url: URL
    public let memory: ProcessMemory

    /// Runs the server while the closure runs, then kills it, or asks it to end.
    ///
    /// - Parameter program: The path of the program. Its address is the first `http://` in its output.
    /// - Returns: The result of the closure, and what the server has printed after its address.
    @discardableResult
    public static func running<Value: Sendable>(
        _ program: String, _ arguments: [String], endsGracefully: Bool = false,
        _ body: @escaping @Sendable (ServerProcess) async throws -> Value
    ) async throws -> (value: Value, output: [String]) {
        let result = try await Subprocess.run(
            .path(FilePath(program)), arguments: Arguments(arguments), input: .none, output: .sequence,
            error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false)
        ) { execution -> (Value, [String]) in
            var (outcome, output): (Result<Value, any Error>?, [String]) = (nil, [])
            for try await line in execution.standardOutput.strings() {
                if outcome != nil { output.append(line) }
                guard outcome == nil, let match = line.firstMatch(of: #/http://[0-9.:]+/#),
                    let url = URL(string: String(match.0))
                else { continue }
                let server = ServerProcess(url: url, memory: ProcessMemory(of: execution.processIdentifier.value))
                do { outcome = .success(try await body(server)) } catch { outcome = .failure(error) }
                try execution.send(signal: endsGracefully ? .terminate : .kill)
            }
            guard let outcome else { throw BenchError("\(program) did not start") }
            return (try outcome.get(), output)
        }
        return result.closureResult
    }
}

/// The resident memory of a process, as Linux reports it.
public struct ProcessMemory: Sendable {
    private let folder: String

    /// - Parameter process: A process ID; nil for this process.
    public init(of process: Int32? = nil) { folder = "/proc/" + (process.map(String.init) ?? "self") }
    public var kilobytes: Int { get throws { try status("VmRSS") } }

    /// The most memory since the process started, or since the last `resetPeak`.
    public var peakMegabytes: Int { get throws { try status("VmHWM") * 1024 / 1_000_000 } }

    /// Restarts the peak at the current memory.
    public func resetPeak() throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder + "/clear_refs"))
        try file.write(contentsOf: Data("5".utf8))
        try file.close()
    }

    private func status(_ name: String) throws -> Int {
        Int(try String(contentsOfFile: folder + "/status", encoding: .utf8).numbers(ofLine: name + ":")[0])
    }
}

/// The work of processors.
public enum Processors {
    /// The seconds for which all of the machine have worked for any process or for the system, as Linux reports them.
    public static var busySeconds: Double {
        get throws {
            let ticks = try String(contentsOfFile: "/proc/stat", encoding: .utf8).numbers(ofLine: "cpu ")
            guard ticks.count >= 7 else { throw BenchError("/proc/stat has an unknown form") }
            // User, nice, system; then idle and waiting, which do not count; then interrupts.
            return (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }

    /// The seconds of all threads of this process, in user and kernel mode.
    public static var ownSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
