import Foundation
import HTTPTypes
import PouchContract
import PouchEntities
import PouchStorage
import PouchWire
import Subprocess
import ServerTesting
import Testing

@Suite("Settings of pouch-server", .timeLimit(.minutes(10)))
struct SettingsProcessTests {
    @Test func `Options take precedence over the environment, and the environment over the file`() async throws {
        let config = folder.appending(path: "pouch.json").path
        try Data(#"{"database": "sqlite:\#(folder.path)/file.sqlite"}"#.utf8).write(
            to: URL(fileURLWithPath: config))
        let environment = ["POUCH_DATABASE": "sqlite:\(folder.path)/environment.sqlite"]
        func made(_ arguments: String, _ environment: [String: String]) async throws -> String {
            let outcome = try await ServerProgram.run(
                "migrate", "--config=" + config, arguments, environment: environment)
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                $0.hasSuffix(".sqlite")
            }
            for name in names { try FileManager.default.removeItem(atPath: folder.appending(path: name).path) }
            return names.joined()
        }
        #expect(try await made("--currency=EUR", [:]) == "file.sqlite")
        #expect(try await made("--currency=EUR", environment) == "environment.sqlite")
        #expect(try await made("--database=sqlite:\(folder.path)/option.sqlite", environment) == "option.sqlite")
    }

    @Test func `The environment can name the file, and numbers and flags are read from both`() async throws {
        let config = folder.appending(path: "pouch.json").path
        try Data(#"{"port": 1, "noMigrate": true, "logLevel": "error", "currency": "JPY"}"#.utf8)
            .write(to: URL(fileURLWithPath: config))
        let database = try await TestDatabase(in: folder, isFresh: true).text
        let environment = ["POUCH_CONFIG": config, "POUCH_DATABASE": database, "POUCH_PORT": "0"]
        let refused = try await ServerProgram.run("serve", "--create", environment: environment)
        #expect(
            refused.status == .exited(1) && refused.errors.contains("older than this server"), "\(refused.errors)")
        #expect(try await ServerProgram.run("migrate", environment: environment).status == .exited(0))
        let outcome = try await ServerProgram.serve(environment: environment) { server in
            let methods = try await server.guest().call(Contract.shippingMethods).good().items
            #expect(methods.map(\.price.currency.code) == ["JPY", "JPY"])
        }
        #expect(outcome.status == .exited(0))
    }

    @Test(arguments: ["serve", "sandbox-payments", "migrate"])
    func `An unknown key in the configuration file is refused before anything happens`(command: String) async throws {
        let config = folder.appending(path: "pouch.json").path
        try Data(#"{"prot": 1, "database": "sqlite:\#(folder.path)/shop.sqlite"}"#.utf8)
            .write(to: URL(fileURLWithPath: config))
        let outcome = try await ServerProgram.run(command, "--config", config)
        #expect(outcome.status == .exited(64) && outcome.output.isEmpty)
        #expect(outcome.errors.contains("unknown key “prot”"), "\(outcome.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pouch.json"])
    }

    @Test func `With a port that the system chooses, links in pages and mails have that port`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let mails = folder.appending(path: "mails")
        _ = try await ServerProgram.serve(
            "--port", "0", "--database", database, "--mail", "folder:" + mails.path
        ) { server in
            let own = "http://127.0.0.1:\(server.port)"
            let map = try await server.transport(.get, "/sitemap.xml", [:], nil)
            #expect(String(decoding: map.body, as: UTF8.self).contains("<loc>\(own)/product/cap</loc>"))
            let page = try await server.transport(.get, "/product/cap", [:], nil)
            #expect(String(decoding: page.body, as: UTF8.self).contains("rel=\"canonical\" href=\"\(own)/"))
            _ = try await server.guest().buyNow("cap").good()
            try await eventually {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: mails.path)) ?? []
                let texts = try names.filter { $0.hasSuffix(".eml") }.map {
                    try String(contentsOf: mails.appending(path: $0), encoding: .utf8)
                }
                // The encoding of mails breaks long lines.
                return texts.contains { $0.replacing("=\r\n", with: "").contains("\(own)/orders#") }
            }
        }
    }

    @Test func `Links begin with the address of the shop where it is named, and not with the chosen port`()
        async throws
    {
        let database = try await ShopFolder.stocked(folder)
        _ = try await ServerProgram.serve(
            "--port", "0", "--database", database, "--public-url", "https://shop.example.com"
        ) { server in
            let map = try await server.transport(.get, "/sitemap.xml", [:], nil)
            let text = String(decoding: map.body, as: UTF8.self)
            #expect(text.contains("<loc>https://shop.example.com/product/cap</loc>") && !text.contains("127.0.0.1"))
        }
    }

    @Test func `The version is one word`() async throws {
        let outcome = try await ServerProgram.run("--version")
        #expect(outcome.status == .exited(0) && outcome.errors.isEmpty)
        #expect(outcome.output.wholeMatch(of: #/pouch-server \S+\n/#) != nil, "\(outcome.output)")
    }

    @Test func `Another currency than the database's is reported in one sentence, with exit code 1`() async throws {
        let database = try await TestDatabase(in: folder).text
        let feed = folder.appending(path: "feed.csv")
        try Data("Handle,Title,Variant SKU,Variant Inventory Qty,Variant Price\ncap,Cap,cap,3,1500\n".utf8)
            .write(to: feed)
        func load(_ more: String...) async throws -> ServerProgram.Outcome {
            try await ServerProgram.run(
                ["import", "--format", "shopify-csv", "--database", database, feed.path] + more)
        }
        let made = try await load("--currency", "JPY")
        #expect(made.status == .exited(0) && made.output.contains("1 created"), "\(made.errors)")
        for refused in [
            try await load("--currency", "EUR"),
            try await ServerProgram.run("serve", "--port", "0", "--database", database, "--currency", "EUR"),
        ] {
            #expect(refused.status == .exited(1) && refused.output.isEmpty)
            #expect(
                refused.errors
                    == "Error: The prices of this shop are in JPY, not EUR. Omit --currency, and use JPY in "
                    + "the settings file.\n")
        }
        let again = try await load()
        #expect(again.status == .exited(0) && again.output.contains("1 unchanged"), "\(again.errors)")
        let served = try await ServerProgram.serve("--port", "0", "--database", database) { server in
            let cap = try await server.anyone.call(Contract.product, path: ["handle": "cap"]).good()
            #expect(cap.price.currency.code == "JPY" && cap.price.amount == 1500)
        }
        #expect(served.status == .exited(0))
    }

    @Test(arguments: [
        ["serve", "--database", "mysql:x"], ["serve", "--database", "postgres://h/x?nothing=1"],
        ["serve", "--database", "postgres://ann:secret@127.0.0.1/x"], ["serve", "--port", "70000"],
        ["serve", "--port", "x"],
        ["serve", "--currency", "XXX"], ["serve", "--city-speed", "0"], ["serve", "--city-speed", "100001"],
        ["serve", "--kangaroos=-1"], ["serve", "--kangaroos", "10001"], ["serve", "--kangaroos", "many"],
        ["serve", "--tls-key", "x"], ["serve", "--config", "/nowhere.json"], ["serve", "--log-level", "loud"],
        ["serve", "--payments", "nowhere"], ["serve", "--payments", "http://127.0.0.1:99999"],
        ["serve", "--payments", "http://127.0.0.1:0"], ["serve", "--payments", "http://127.0.0.1:65536"],
        ["serve", "--payments", "http://127.0.0.1:18446744073709551616"],
        ["serve", "--payments", "http://x", "--payments-key-file", "/nowhere"],
        ["sandbox-payments", "--port", "70000"], ["sandbox-payments", "--key-file", "/nowhere"],
        ["import", "--format", "xml", "x"], ["import", "x"], ["backup"], ["admin", "create"], ["account", "create"],
        ["nothing"], ["serve", "--trusted-proxies", "10.0.0.0/40"], ["serve", "--trusted-proxies", "proxy"],
        ["serve", "--allow-origin", "*"], ["serve", "--allow-origin", "https://shop.example.com/"],
        ["serve", "--allow-origin", "https://Shop.example.com"],
        ["serve", "--allow-origin", "https://shop.example.com:443"],
        ["serve", "--rate-limit", "0.01"], ["serve", "--new-sessions=-1"], ["serve", "--connections", "1"],
    ])
    func `Invalid arguments are reported, with exit code 64`(arguments: [String]) async throws {
        let outcome = try await ServerProgram.run(arguments)
        #expect(outcome.status == .exited(64))
        #expect(!outcome.errors.isEmpty && outcome.output.isEmpty)
        #expect(!outcome.errors.contains("secret"))
    }

    @Test func `An address that cannot be one is a problem that the doctor finds`() async throws {
        let outcome = try await ServerProgram.run(["doctor", "--payments", "http://127.0.0.1:65536"])
        #expect(outcome.status == .exited(1) && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.output.contains("problem  settings") && outcome.output.contains("--payments"))
    }

    @Test(arguments: [
        ["serve", "--port", "70000"], ["serve", "--tls-key", "x"], ["migrate", "--currency", "XXX"],
        ["sandbox-payments", "--port", "70000"], ["import", "--format", "shopify-csv", "x", "--database", "mysql:x"],
    ])
    func `Invalid settings are reported with the usage of the command`(arguments: [String]) async throws {
        let errors = try await ServerProgram.run(arguments).errors
        #expect(errors.hasPrefix("Error: ") && errors.contains("\nUsage: pouch-server \(arguments[0]) "), "\(errors)")
    }

    @Test(
        .enabled(if: !TestDatabase.isPostgres),
        arguments: [
            ["serve", "--port", "0"], ["backup", "copy.sqlite"], ["keys", "list"], ["refunds", "list"],
            ["admin", "create", "--email", "a@example.com"], ["account", "create", "--name", "A", "--email", "a@b.de"],
        ])
    func `A mistyped path of the database does not begin a new shop`(arguments: [String]) async throws {
        let path = folder.appending(path: "deep/mistyped.sqlite").path
        let outcome = try await ServerProgram.run(
            arguments + ["--database", "sqlite:" + path], input: "correct horse\n")
        #expect(outcome.status == .exited(1))
        #expect(outcome.errors.contains("There is no database at \(path)."), "\(outcome.errors)")
        #expect(outcome.errors.contains("--create") == (["serve", "admin", "account"].contains(arguments[0])))
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "deep").path))
    }

    @Test(.enabled(if: !TestDatabase.isPostgres))
    func `With --create a server begins a new shop, and without rides it has none of their routes`() async throws {
        let database = "sqlite:" + folder.appending(path: "new.sqlite").path
        for options in [["--create", "--no-rides"], []] {
            let hasRides = options.isEmpty
            let outcome = try await ServerProgram.serve(["--port", "0", "--database", database] + options) {
                server in
                let rides = try await server.anyone.send("GET", "/v1/ride/options?latitude=-33.87&longitude=151.21")
                #expect(rides.status == (hasRides ? 200 : 404))
                let query = "country=AU&latitude=-33.8915&longitude=151.2767"
                let methods = try await server.guest().call(Contract.shippingMethods, query: query).good().items
                #expect(methods.contains { $0.id == "kangaroo" } == hasRides)
            }
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            #expect(outcome.errors.contains("stopping;") && outcome.errors.contains("stopped"))
        }
    }

    @Test func `A mistake in the TLS files is named`() async throws {
        let other = folder.appending(path: "other")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        let own = try await Certificate(for: "IP:127.0.0.1", in: folder)
        let another = try await Certificate(for: "IP:127.0.0.1", in: other)
        let database = try await TestDatabase(in: folder).text
        for (certificate, key, text) in [
            (own.key, own.key, "\(own.key.path) is not a PEM certificate chain."),
            (own.file, own.file, "\(own.file.path) does not contain a PEM private key."),
            (own.file, another.key, "\(another.key.path) does not match the certificate in \(own.file.path)."),
        ] {
            let outcome = try await ServerProgram.run(
                "serve", "--port", "0", "--database", database, "--tls-certificate", certificate.path, "--tls-key",
                key.path)
            #expect(outcome.status == .exited(1) && outcome.errors.contains(text), "\(outcome.errors)")
        }
    }

    @Test(.enabled(if: !TestDatabase.isPostgres))
    func `Servers on one file have the same settings, until all of them have ended`() async throws {
        let database = try await TestDatabase(in: folder).text
        let yaml = folder.appending(path: "shop.yaml")
        try Data("currency: EUR\nholdMinutes: 20\n".utf8).write(to: yaml)
        let arguments = ["--port", "0", "--database", database]
        for signal in [Signal.terminate, .kill] {
            _ = try await ServerProgram.serve(arguments + ["--city-speed", "60"], signal: signal) { _ in
                let other = try await ServerProgram.run(
                    ["serve"] + arguments + ["--city-speed", "50", "--shop", yaml.path])
                #expect(other.status == .exited(1))
                #expect(other.errors.contains("different values of --city-speed and --shop"), "\(other.errors)")
                let same = try await ServerProgram.serve(arguments + ["--city-speed", "60"]) { _ in }
                #expect(same.status == .exited(0), "\(same.errors)")
            }
        }
        let alone = try await ServerProgram.serve(arguments + ["--city-speed", "50"]) { _ in }
        #expect(alone.status == .exited(0), "\(alone.errors)")
    }

    @Test func `A restore without its ledger is reported at the start`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let arguments = ["--port", "0", "--database", database, "--data"]
        let sold = try await ServerProgram.serve(arguments + [folder.path]) { server in
            _ = try await server.guest().buyNow("cap").good()
        }
        #expect(!sold.errors.contains("not the one that charged"))
        let elsewhere = folder.appending(path: "elsewhere").path
        let restored = try await ServerProgram.serve(arguments + [elsewhere]) { server in
            _ = try await server.anyone.call(Contract.healthReady).good()
        }
        #expect(restored.errors.contains("ledger is not the one that charged"), "\(restored.errors)")
    }

    @Test(arguments: [
        (["serve", "--host", "0.0.0.0"], "--trusted-proxies"), (["serve", "--host", "192.0.2.1"], "--plain-http"),
        (["serve", "--payments", "http://pay.example.com"], "--plain-http"),
        (["sandbox-payments", "--host", "0.0.0.0"], "--key-file"),
    ])
    func `Secrets do not leave the machine unencrypted by accident`(arguments: [String], advice: String) async throws {
        let outcome = try await ServerProgram.run(arguments)
        #expect(outcome.status == .exited(64) && outcome.errors.contains(advice), "\(outcome.errors)")
    }

    @Test(arguments: [
        ["--plain-http"], ["--trusted-proxies", "10.0.0.0/8"], ["--rate-limit", "0.1", "--new-sessions", "0"],
        ["--allow-origin", "https://shop.example.com,http://127.0.0.1:3000", "--connections", "100000"],
    ])
    func `A server obeys its access options`(options: [String]) async throws {
        let host = ["--plain-http", "--trusted-proxies"].contains(options[0]) ? "0.0.0.0" : "127.0.0.1"
        let database = try await TestDatabase(in: folder).text
        let outcome = try await ServerProgram.serve(
            ["--port", "0", "--database", database, "--host", host] + options
        ) { server in
            let answer = try await server.anyone.send(
                "GET", "/v1/seasons", headers: ["Origin": "https://shop.example.com"])
            let allowed = answer.header("Access-Control-Allow-Origin")
            #expect(allowed == (options[0] == "--allow-origin" ? "https://shop.example.com" : nil))
            // One request in a burst.
            let again = try await server.anyone.call(Contract.seasons)
            #expect(again.status == (options[0] == "--rate-limit" ? 429 : 200))
        }
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
    }

    @Test(arguments: [
        [], ["serve"], ["migrate"], ["import"], ["admin"], ["keys", "rotate"], ["admin", "create"],
        ["account", "create"], ["backup"], ["restore"], ["doctor"], ["refunds", "list"], ["refunds", "settle"],
        ["settings"], ["sandbox-payments"],
    ])
    func `Every command has help`(command: [String]) async throws {
        let outcome = try await ServerProgram.run(command + ["--help"])
        #expect(outcome.status == .exited(0) && outcome.errors.isEmpty)
        #expect(outcome.output.contains("OVERVIEW:") && outcome.output.contains("USAGE: pouch-server"))
        if !["", "admin", "settings", "sandbox-payments"].contains(command.joined()) {
            #expect(outcome.output.contains("--database"))
        }
    }
}
