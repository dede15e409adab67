import Foundation

/// Somebody at a terminal of their own, whose output goes into a pipe.
struct Shopper: Sendable {
    private let folder: TemporaryFolder
    private let server: URL

    init(at server: URL) throws {
        self.server = server
        folder = try TemporaryFolder()
    }

    func pouch(_ arguments: String..., input: String = "") async throws -> Program.Outcome {
        try await pouch(arguments: arguments, input: input)
    }

    func pouch(arguments: [String], input: String = "") async throws -> Program.Outcome {
        try await Program.run(
            "pouch", arguments,
            environment: ["POUCH_SERVER": server.absoluteString, "XDG_STATE_HOME": folder.url.path],
            input: input)
    }

    /// What lies in the folder for state, with the permissions of each file.
    var stateFiles: [(path: String, mode: Int)] {
        get throws {
            let files = FileManager.default
            let names = try files.subpathsOfDirectory(atPath: folder.url.path)
            return try names.compactMap { name in
                let attributes = try files.attributesOfItem(atPath: folder.file(name).path)
                guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
                return (name, attributes[.posixPermissions] as? Int ?? 0)
            }
        }
    }
}
