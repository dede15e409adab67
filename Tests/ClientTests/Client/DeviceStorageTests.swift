import ClientTesting
import Foundation
import PouchClient
import Testing

private func mode(_ url: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
}

struct FileSessionStoreTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let store: FileSessionStore

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("pouch/session.json")
        store = FileSessionStore(file: file)
    }

    /// The names in the folder of the file.
    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.file("pouch").path) }
    }

    @Test func `only the owner may read the file and its folder, also after it was replaced`() async throws {
        for text in ["one", "two"] {
            try await store.save(Data(text.utf8))
            #expect(try mode(file) == 0o600)
            #expect(try mode(folder.file("pouch")) == 0o700)
            #expect(try await store.load() == Data(text.utf8))
        }
        #expect(try names == ["session.json"])
    }

    @Test func `of two processes that start a session, the second gets that of the first`() async throws {
        let second = FileSessionStore(file: file)
        #expect(try await store.saveUnlessSaved(Data("one".utf8)) == Data("one".utf8))
        #expect(try await second.saveUnlessSaved(Data("two".utf8)) == Data("one".utf8))
        #expect(try mode(file) == 0o600)
        #expect(try names == ["session.json"])
        try await store.clear()
        #expect(try await second.saveUnlessSaved(Data("two".utf8)) == Data("two".utf8))
    }

    @Test func `a file that others could read is replaced by one that they cannot`() async throws {
        let file = try folder.file("session.json", containing: "")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        try await FileSessionStore(file: file).save(Data("x".utf8))
        #expect(try mode(file) == 0o600)
    }

    @Test func `the store is empty before a save and after clear, and clearing twice is no error`() async throws {
        #expect(try await store.load() == nil)
        try await store.save(Data("x".utf8))
        try await store.clear()
        try await store.clear()
        #expect(try await store.load() == nil)
    }

    @Test func `a failed save leaves no draft`() async throws {
        // A folder has the file's name, so the last step fails.
        try FileManager.default.createDirectory(
            at: file.appending(component: "in the way"), withIntermediateDirectories: true)
        await #expect(throws: (any Error).self) { try await store.save(Data("x".utf8)) }
        #expect(try names == ["session.json"])
    }
}

#if !canImport(Security)
    @Suite struct DeviceStorageTests {
        private func storage(
            _ server: String, _ environment: [String: String] = [:], application: String = "kiosk"
        ) throws -> DeviceStorage {
            DeviceStorage(server: try #require(URL(string: server)), application: application, environment: environment)
        }

        @Test func `Each origin has files of its own, so that none gets another's session`() throws {
            let servers = [
                "http://a.example", "https://a.example", "http://a.example:8080", "http://b.example",
                // Hosts that look alike.
                "http://a-b.example", "http://a_b.example", "http://a.b.example", "http://a--b.example",
            ]
            #expect(Set(try servers.map { try storage($0).database }).count == servers.count)
            #expect(Set(try servers.map { try storage($0).cache }).count == servers.count)
            #expect(try storage("http://A.example:80/shop").database == storage("http://a.example").database)
        }

        @Test func `The folders are those of the environment, if they are absolute`() throws {
            let named = try storage("http://a.example", ["XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/c"])
            #expect(named.database.path == "/s/kiosk/http_a.example_80.sqlite")
            #expect(named.cache.path == "/c/kiosk/http_a.example_80")
            #expect(named.sessionFile.path == "/s/kiosk/http_a.example_80.json")
            let relative = try storage("http://a.example", ["XDG_STATE_HOME": "s"])
            #expect(relative.database.path.hasSuffix("/.local/state/kiosk/http_a.example_80.sqlite"))
            let home = try storage("http://a.example", ["HOME": "/h"])
            #expect(home.database.path == "/h/.local/state/kiosk/http_a.example_80.sqlite")
            #expect(home.cache.path == "/h/.cache/kiosk/http_a.example_80")
            #expect(try storage("http://a.example", ["HOME": "h"]).cache == relative.cache)
        }

        @Test func `A host's name cannot lead out of the folder`() throws {
            let storage = try storage("http://[::1]:80", ["XDG_STATE_HOME": "/s"])
            #expect(storage.database.deletingLastPathComponent().path == "/s/kiosk")
            #expect(!storage.database.lastPathComponent.contains(":"))
        }

        @Test func `Each feed has files of its own, even on the same web server`() throws {
            func storage(_ feed: String) throws -> DeviceStorage {
                DeviceStorage(
                    feed: try #require(URL(string: feed)), application: "kiosk", environment: ["XDG_STATE_HOME": "/s"])
            }
            let feeds = [
                "http://a.example", "http://a.example/feed", "http://a.example/feed/summer", "https://a.example/feed",
                "http://a.example/feed-summer", "http://a.example/feed%2Fsummer.json", "http://b.example/feed",
            ]
            let databases = try feeds.map { try storage($0).database }
            #expect(Set(databases).count == feeds.count)
            #expect(databases.allSatisfy { $0.deletingLastPathComponent().path == "/s/kiosk" })
            #expect(try storage("http://a.example/feed/").database == storage("http://A.example:80/feed").database)
            let server = try self.storage("http://a.example", ["XDG_STATE_HOME": "/s"]).database
            #expect(!databases.contains(server))
            #expect(try storage("http://a.example/../../etc").database.deletingLastPathComponent().path == "/s/kiosk")
        }

        @Test func `A feed's long path makes a valid file name, a different one for each feed`() async throws {
            let folder = try TemporaryFolder()
            let environment = ["XDG_STATE_HOME": folder.url.path, "XDG_CACHE_HOME": folder.url.path]
            let path = String(repeating: "summer%20feed/", count: 50)
            let storages = try ["a", "b"].map {
                DeviceStorage(
                    feed: try #require(URL(string: "http://a.example/\(path)\($0)")), application: "kiosk",
                    environment: environment)
            }
            #expect(storages[0].database != storages[1].database)
            for (index, storage) in storages.enumerated() {
                try await storage.sessionStore.save(Data([UInt8(index)]))
                try FileManager.default.createDirectory(at: storage.cache, withIntermediateDirectories: true)
                #expect(storage.cache.lastPathComponent.hasPrefix("feed_http_a.example_80_summer%20feed"))
            }
            #expect(try await storages[0].sessionStore.load() == Data([0]))
        }

        @Test func `A stored session is for the next process of the application, and its server only`() async throws {
            let folder = try TemporaryFolder()
            let environment = ["XDG_STATE_HOME": folder.url.path]
            try await storage("http://a.example", environment).sessionStore.save(Data("secret".utf8))
            #expect(try await storage("http://a.example", environment).sessionStore.load() == Data("secret".utf8))
            #expect(try await storage("http://b.example", environment).sessionStore.load() == nil)
            #expect(try await storage("http://a.example", environment, application: "pouch").sessionStore.load() == nil)
            #expect(try mode(folder.file("kiosk/http_a.example_80.json")) == 0o600)
        }
    }
#endif
