import Foundation
import PouchClient
import Testing

struct FileSessionStoreTests {
    /// Runs a test with a temporary folder.
    private func withFolder(_ test: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await test(folder)
    }

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test func `only the owner may read the file and its folder, also after it was replaced`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "pouch/session.json")
            let store = FileSessionStore(file: file)
            for text in ["one", "two"] {
                try await store.save(Data(text.utf8))
                #expect(try mode(file) == 0o600)
                #expect(try mode(folder.appending(component: "pouch")) == 0o700)
                #expect(try await store.load() == Data(text.utf8))
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/pouch") == ["session.json"])
        }
    }

    @Test func `of two processes that start a session, the second gets that of the first`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "kiosk/session.json")
            let stores = [FileSessionStore(file: file), FileSessionStore(file: file)]
            #expect(try await stores[0].saveUnlessSaved(Data("one".utf8)) == Data("one".utf8))
            #expect(try await stores[1].saveUnlessSaved(Data("two".utf8)) == Data("one".utf8))
            #expect(try mode(file) == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/kiosk") == ["session.json"])
            try await stores[0].clear()
            #expect(try await stores[1].saveUnlessSaved(Data("two".utf8)) == Data("two".utf8))
        }
    }

    @Test func `a file that others could read is replaced by one that they cannot`() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(component: "session.json")
            #expect(
                FileManager.default.createFile(
                    atPath: file.path, contents: Data(), attributes: [.posixPermissions: 0o644]))
            try await FileSessionStore(file: file).save(Data("x".utf8))
            #expect(try mode(file) == 0o600)
        }
    }

    @Test func `the store is empty before a save and after clear, and clearing twice is no error`() async throws {
        try await withFolder { folder in
            let store = FileSessionStore(file: folder.appending(component: "session.json"))
            #expect(try await store.load() == nil)
            try await store.save(Data("x".utf8))
            try await store.clear()
            try await store.clear()
            #expect(try await store.load() == nil)
        }
    }

    @Test func `a failed save leaves no draft`() async throws {
        try await withFolder { folder in
            // A folder has the file's name, so the last step fails.
            let file = folder.appending(component: "session.json")
            try FileManager.default.createDirectory(
                at: file.appending(component: "in the way"), withIntermediateDirectories: true)
            await #expect(throws: (any Error).self) { try await FileSessionStore(file: file).save(Data("x".utf8)) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["session.json"])
        }
    }
}
