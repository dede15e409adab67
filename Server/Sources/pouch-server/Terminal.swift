import Foundation
import NIOCore
import PouchDomain
import PouchServer
import PouchStorage
import Synchronization

/// A failure with a message for the user. Ends the command with exit code 1.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension String {
    /// The text without characters with which a feed could control the terminal: control characters, invisible
    /// characters such as those that change the writing direction, and separators of lines and paragraphs. The
    /// zero-width joiner and non-joiner stay, since some scripts and emoji need them.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isHarmful ? "\u{FFFD}" : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var isHarmful: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: value != 0x200C && value != 0x200D
        default: false
        }
    }
}

/// Runs code that opens the database, and converts its errors to failures.
func opened<Value>(_ database: DatabaseAddress, _ body: () async throws -> Value) async throws -> Value {
    do {
        return try await body()
    } catch {
        guard let failure = DatabaseFailure(error, of: database) else { throw error }
        throw Failure(failure.description)
    }
}

/// Runs code that listens on a port, and converts its errors to failures.
func listening(on host: String, _ port: Int, _ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch let error as MetricsPortError {
        throw Failure(error.advice)
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
        throw Failure("\(host):\(port) is in use by another program. Choose another --port.")
    } catch let error as IOError where error.errnoCode == EACCES {
        throw Failure("The system does not allow port \(port). Choose a --port above 1023.")
    } catch let error as IOError where error.errnoCode == EADDRNOTAVAIL {
        throw Failure("This machine does not have the address \(host). Choose another --host.")
    } catch is SocketAddressError.UnknownHost {
        throw Failure("The host \(host) is unknown. Check the name, or use an address of this machine for --host.")
    } catch let error as TLSFilesError {
        switch error {
        case .noCertificates: throw Failure("\(error). Pass one with --tls-certificate.")
        case .noKey: throw Failure("\(error). Pass the key with --tls-key.")
        case .otherKey: throw Failure("\(error).")
        }
    }
}

/// A port that the system chooses on the host, for a server that needs its address before it listens.
///
/// On Linux, a socket that is only bound keeps the port from other programs to the end of the process; the server may
/// share it, since both sockets have SO_REUSEADDR. Elsewhere the port is free until the server listens.
///
/// - Returns: nil if there is none; the server then fails to listen and reports why.
func chosenPort(of host: String) -> Int? {
    guard let address = try? SocketAddress.makeAddressResolvingHost(host, port: 0) else { return nil }
    let descriptor = socket(address.protocol.rawValue, CInt(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var isShared = CInt(1)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<CInt>.size))
    let isBound = address.withSockAddr { bind(descriptor, $0, socklen_t($1)) } == 0
    var (found, size) = (sockaddr_storage(), socklen_t(MemoryLayout<sockaddr_storage>.size))
    let isFound = withUnsafeMutablePointer(to: &found) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    let isChosen = isBound && isFound == 0
    #if os(Linux)
        if !isChosen { close(descriptor) }
    #else
        close(descriptor)
    #endif
    guard isChosen else { return nil }
    // The port follows the family in both IPv4 and IPv6.
    return withUnsafeBytes(of: found) { Int(UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))) }
}

extension MetricsPortError {
    fileprivate var advice: String {
        switch errno {
        case EADDRINUSE: "\(address.host):\(address.port) is in use by another program. Choose another --metrics-port."
        case EACCES:
            "The system does not allow port \(address.port). Choose a --metrics-port above 1023."
        case EADDRNOTAVAIL: "This machine does not have the address \(address.host). Choose another --metrics-host."
        default:
            "Cannot serve metrics on \(address.host):\(address.port). Check --metrics-host and --metrics-port."
        }
    }
}

/// A progress bar on standard error, shown only in a terminal.
final class ProgressBar: Sendable {
    private static let width = 32

    private let label: String
    private let isVisible: Bool
    private let shown = Mutex(-1)

    init(_ label: String) {
        self.label = label
        isVisible = isatty(STDERR_FILENO) == 1
    }

    func show(_ done: Int, of total: Int, _ note: String = "") {
        guard isVisible, total > 0 else { return }
        let percent = min(100, done * 100 / total)
        let isNew = shown.withLock { shown in
            defer { shown = percent }
            return shown != percent
        }
        guard isNew else { return }
        let filled = percent * Self.width / 100
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        write("\r\u{1B}[K\(label) \(bar) \(percent) % \(note)")
    }

    /// Clears the line.
    func end() {
        guard isVisible else { return }
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
