import CTimex
import Foundation
import PouchWeb

/// Checks the server's machine: its clock, disks, files and limits.
struct MachineCheck: Sendable {
    let configuration: ServerConfiguration

    // MARK: The clock

    func clock() async -> [Finding] {
        let (start, started) = (ContinuousClock.now, Date())
        try? await Task.sleep(for: .milliseconds(200))
        let passed = start.duration(to: .now) / .seconds(1)
        let drift = abs(Date().timeIntervalSince(started) - passed)
        guard drift < 0.05 else {
            return .warning(
                "The clock jumped by \(Int(drift * 1_000)) ms within 200 ms. Configure NTP to adjust it gradually.")
        }
        return [isSynchronised ? .ok("The clock is synchronised.") : unsynchronised]
    }

    private let unsynchronised = Finding.warning(
        "The clock is not synchronised. Turn on NTP, for example with “timedatectl set-ntp true”.")

    /// Whether the kernel's clock is synchronised. True if the kernel does not report it.
    private var isSynchronised: Bool {
        var state = timex()
        return ntp_adjtime(&state) != TIME_ERROR
    }

    // MARK: Disks

    func disk() async -> [Finding] {
        var folders: Set = [configuration.dataFolder.path]
        if let path = configuration.databasePath {
            folders.insert(URL(fileURLWithPath: path).deletingLastPathComponent().path)
        }
        return folders.sorted().map(room)
    }

    private func room(in folder: String) -> Finding {
        var disk = statvfs()
        // The server creates a missing folder.
        var place = URL(fileURLWithPath: folder)
        while access(place.path, F_OK) != 0, place.path != "/" { place.deleteLastPathComponent() }
        guard access(place.path, W_OK) == 0, statvfs(place.path, &disk) == 0 else {
            return .problem("Cannot write to \(place.path). Run this as the server's user, or change its owner.")
        }
        let free = UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
        let text = "\(folder) has \(free >> 20) MiB free."
        guard disk.f_favail > 100 || disk.f_files == 0 else {
            return .problem("The disk of \(folder) cannot store more files. Delete some.")
        }
        return switch free {
        case ..<(16 << 20): .problem(text + " Free some space, or the server will soon stop accepting orders.")
        case ..<(512 << 20): .warning(text + " Free some space, or enlarge the disk.")
        default: .ok(text)
        }
    }

    // MARK: Files with secrets

    func files() async -> [Finding] {
        var paths = [configuration.tls?.keyPath].compactMap(\.self) + configuration.secretFiles
        if let path = configuration.databasePath { paths += [path, path + "-wal"] }
        if case .sandbox = configuration.payments { paths.append(configuration.sandboxLedgerPath) }
        let findings = paths.compactMap(permissions)
        return findings.isEmpty ? .ok("Other users cannot read files with secrets.") : findings
    }

    /// - Returns: nil for a file that has the right permissions, or does not exist.
    private func permissions(of path: String) -> Finding? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let mode = attributes[.posixPermissions] as? NSNumber
        else { return nil }
        if access(path, R_OK) != 0 {
            return .problem("Cannot read \(path). Run this as the server's user, or change the file's owner.")
        }
        guard mode.intValue & 0o007 != 0 else { return nil }
        return .problem("Every user of this machine can read \(path). Run “chmod o= \(path)”.")
    }

    // MARK: Limits

    func limits() async -> [Finding] {
        var limit = rlimit()
        guard getrlimit(.init(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return [] }
        let wanted = configuration.connections + 256
        guard limit.rlim_max < UInt64(wanted) else {
            return .ok("\(configuration.connections) connections can be open at once.")
        }
        return .warning(
            "At most \(limit.rlim_max) files can be open, too few for \(configuration.connections) connections. Raise "
                + "the limit to \(wanted), for example with LimitNOFILE in a systemd unit.")
    }
}
