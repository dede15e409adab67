/// Files of tests, and those of them that touch a network or a disk.
struct UnitTests {
    static let outside: Set = [
        "URLSession", "URLSessionTransport", "FileManager", "FileHandle", "FileSessionStore", "temporaryDirectory",
        "Process",
        "NIOCore", "NIOPosix", "NIOSSL", "GRDB", "SQLiteStore", "FoundationNetworking", "AsyncHTTPClient", "socket",
    ]

    let files: Int
    let touching: [Place]

    /// - Parameter folders: a file counts that lies in one of them.
    init(_ tests: Module, folders: [String]) {
        let own = Module(name: tests.name, files: tests.files.filter { !Set($0.folders).isDisjoint(with: folders) })
        files = own.files.count
        touching = own.files.compactMap { file in
            file.tokens.first { Self.outside.contains($0.text) }.map {
                Place(module: own.name, path: file.path, line: $0.line, what: $0.text)
            }
        }
    }
}
