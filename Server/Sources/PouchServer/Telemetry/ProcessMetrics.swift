import Foundation
import PouchTelemetry

/// The processor time, memory and files of this process, under the names used by Prometheus' own libraries.
struct ProcessMetrics {
    /// - Parameter start: the start of the server.
    static func read(since start: Date) -> [MetricFamily] {
        var families = [
            MetricFamily(
                "process_cpu_seconds_total", "User and system processor time of the server.", .counter,
                // In microseconds on every POSIX system.
                value: Double(clock()) / 1e6),
            MetricFamily(
                "process_start_time_seconds", "Start time of the server, in seconds since 1970.", .gauge,
                value: start.timeIntervalSince1970),
        ]
        if let bytes = residentBytes {
            families.append(
                MetricFamily(
                    "process_resident_memory_bytes", "Resident memory of the server.", .gauge,
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

    /// nil if the system does not report it like Linux.
    private static var residentBytes: Double? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) }
        return pages.map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) }
    }
}
