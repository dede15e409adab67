import Foundation
import PouchTelemetry

/// The processor time, memory and files of this process, under the names that Prometheus' own libraries use.
struct ProcessMetrics {
    /// - Parameter start: the start of the server.
    static func read(since start: Date) -> [MetricFamily] {
        var families = [
            MetricFamily(
                "process_cpu_seconds_total", "Processor time of the server, user and system.", .counter,
                // In microseconds on every system of POSIX.
                value: Double(clock()) / 1e6),
            MetricFamily(
                "process_start_time_seconds", "The start of the server, in seconds since 1970.", .gauge,
                value: start.timeIntervalSince1970),
        ]
        if let bytes = residentBytes {
            families.append(
                MetricFamily(
                    "process_resident_memory_bytes", "Memory of the server that is not swapped out.", .gauge,
                    value: bytes))
        }
        if let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            families.append(
                MetricFamily(
                    "process_open_fds", "Open files and connections of the server.", .gauge,
                    value: Double(files.count)))
        }
        return families
    }

    /// nil where the system does not tell it in Linux's way.
    private static var residentBytes: Double? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) }
        return pages.map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) }
    }
}
