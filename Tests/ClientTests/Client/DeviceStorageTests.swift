#if !canImport(Security)
    import Foundation
    import PouchClient
    import Testing

    @Suite struct DeviceStorageTests {
        private func storage(_ server: String, _ environment: [String: String] = [:]) throws -> DeviceStorage {
            DeviceStorage(server: try #require(URL(string: server)), environment: environment)
        }

        @Test func `Each origin has files of its own`() throws {
            let servers = ["http://a.example", "https://a.example", "http://a.example:8080", "http://b.example"]
            #expect(Set(try servers.map { try storage($0).database }).count == servers.count)
            #expect(Set(try servers.map { try storage($0).cache }).count == servers.count)
            #expect(try storage("http://A.example:80/shop").database == storage("http://a.example").database)
        }

        @Test func `The folders are those of the environment, if they are absolute`() throws {
            let named = try storage("http://a.example", ["XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/c"])
            #expect(named.database.path == "/s/pouch/http_a.example_80.sqlite")
            #expect(named.cache.path == "/c/pouch/http_a.example_80")
            let relative = try storage("http://a.example", ["XDG_STATE_HOME": "s"])
            #expect(relative.database.path.hasSuffix("/.local/state/pouch/http_a.example_80.sqlite"))
        }

        @Test func `A host's name cannot lead out of the folder`() throws {
            let storage = try storage("http://[::1]:80", ["XDG_STATE_HOME": "/s"])
            #expect(storage.database.deletingLastPathComponent().path == "/s/pouch")
            #expect(!storage.database.lastPathComponent.contains(":"))
        }

        @Test func `A session that was kept is there for the next process, and for nobody else`() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: folder) }
            let environment = ["XDG_STATE_HOME": folder.path]
            try await storage("http://a.example", environment).sessionStore.save(Data("secret".utf8))
            #expect(try await storage("http://a.example", environment).sessionStore.load() == Data("secret".utf8))
            #expect(try await storage("http://b.example", environment).sessionStore.load() == nil)
            let file = folder.appending(path: "pouch/http_a.example_80.json")
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }
#endif
