/// Files of tests, and those of them that touch a network or a disk.
struct UnitTests {
    static let outside: Set = [
        "URLSession", "URLSessionTransport", "FileManager", "FileHandle", "FileSessionStore", "temporaryDirectory",
        "Process",
        "NIOCore", "NIOPosix", "NIOSSL", "GRDB", "SQLiteStore", "FoundationNetworking", "AsyncHTTPClient", "socket",
    ]

    let files: Int
    let touching: [Place]

    init(_ modules: [Module]) {
        files = modules.reduce(0) { $0 + $1.files.count }
        touching = modules.flatMap { module in
            module.files.compactMap { file in
                file.tokens.first { Self.outside.contains($0.text) }.map {
                    Place(module: module.name, path: file.path, line: $0.line, what: $0.text)
                }
            }
        }
    }
}
