import Foundation

/// A folder that goes away with the object.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "pouch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String) -> URL { url.appending(path: name) }

    /// Writes a file and answers where it is.
    func file(_ name: String, containing text: String) throws -> URL {
        try text.write(to: file(name), atomically: true, encoding: .utf8)
        return file(name)
    }
}
