import Foundation

/// A TCP connection to a port of this machine, for requests that no client would send.
struct RawConnection {
    private let descriptor: FileHandle

    /// - Parameter receiveBuffer: about so many bytes wait to be received at most; nil: as many as the system likes.
    init(port: Int, receiveBuffer: CInt? = nil) throws {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard number >= 0 else { throw POSIXError(.ENFILE) }
        descriptor = FileHandle(fileDescriptor: number, closeOnDealloc: true)
        if var receiveBuffer {
            let size = socklen_t(MemoryLayout<CInt>.size)
            guard setsockopt(number, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, size) == 0 else {
                throw POSIXError(.EINVAL)
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    func send(_ text: String) throws {
        try descriptor.write(contentsOf: Data(text.utf8))
    }

    /// The first bytes that come, waited for on a thread that may wait.
    func receive() async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [descriptor] in
                continuation.resume(returning: String(decoding: descriptor.availableData, as: UTF8.self))
            }
        }
    }

    func close() throws {
        try descriptor.close()
    }
}
