#if !canImport(Security)
    import Foundation
    import PouchClient
    import Testing

    @Suite struct DeviceStorageTests {
        private func storage(
            _ server: String, _ environment: [String: String] = [:], application: String = "kiosk"
        ) throws -> DeviceStorage {
            DeviceStorage(
                server: try #require(URL(string: server)), application: application, environment: environment)
        }

        @Test func `Each origin has files of its own`() throws {
            let servers = ["http://a.example", "https://a.example", "http://a.example:8080", "http://b.example"]
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

        @Test func `Hosts that look alike have files of their own, so that none gets another's session`() throws {
            let hosts = ["a-b.example", "a_b.example", "a.b.example", "a--b.example"]
            #expect(Set(try hosts.map { try storage("http://\($0)").database }).count == hosts.count)
        }

        @Test func `Each feed has files of its own, even on the same web server`() throws {
            func storage(_ feed: String) throws -> DeviceStorage {
                DeviceStorage(
                    feed: try #require(URL(string: feed)), application: "kiosk", environment: ["XDG_STATE_HOME": "/s"])
            }
            let feeds = [
                "http://a.example", "http://a.example/feed", "http://a.example/feed/summer",
                "http://a.example/feed-summer",
                "http://a.example/feed%2Fsummer.json", "https://a.example/feed", "http://b.example/feed",
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

        @Test
        func `A stored session is available to the next process of the same application, and for its server only`()
            async throws
        {
            let folder = try TemporaryFolder()
            let environment = ["XDG_STATE_HOME": folder.url.path]
            try await storage("http://a.example", environment).sessionStore.save(Data("secret".utf8))
            #expect(try await storage("http://a.example", environment).sessionStore.load() == Data("secret".utf8))
            #expect(try await storage("http://b.example", environment).sessionStore.load() == nil)
            #expect(try await storage("http://a.example", environment, application: "pouch").sessionStore.load() == nil)
            let file = folder.file("kiosk/http_a.example_80.json")
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }
#endif
