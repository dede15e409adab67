import Foundation

/// The most memory that a process has had, as Linux tells it.
public struct PeakMemory: Sendable {
    private let folder: String

    public init(of process: Int32) {
        folder = "/proc/\(process)"
    }

    /// Begins anew with what it has now.
    public func reset() throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder + "/clear_refs"))
        try file.write(contentsOf: Data("5".utf8))
        try file.close()
    }

    public var megabytes: Int {
        get throws {
            let status = try String(contentsOfFile: folder + "/status", encoding: .utf8)
            guard let kilobytes = status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap({ Int($0.1) }) else {
                throw BenchError("the memory of the process is not known")
            }
            return kilobytes * 1024 / 1_000_000
        }
    }
}
