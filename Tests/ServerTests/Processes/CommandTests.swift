import HTTPTypes
import ServerTesting
import Subprocess
import Testing

@Suite("Settings of pouch-server", .timeLimit(.minutes(10)), .inFolder)
struct SettingsProcessTests {
    private let folder = TemporaryFolder.current

    @Test func `Options take precedence over the environment, and the environment over the file`() async throws {
        let config = try folder.file("pouch.json", #"{"database": "sqlite:\#(folder.path)/file.sqlite"}"#)
        let environment = ["POUCH_DATABASE": "sqlite:\(folder.path)/environment.sqlite"]
        func made(_ argument: String, _ environment: [String: String]) async throws -> String {
            try await ServerProgram.run("migrate", "--config=" + config, argument, environment: environment).good()
            let all = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let names = all.filter { $0.hasSuffix(".sqlite") }
            for name in names { try FileManager.default.removeItem(atPath: folder.appending(path: name).path) }
            return names.joined()
        }
        #expect(try await made("--currency=EUR", [:]) == "file.sqlite")
        #expect(try await made("--currency=EUR", environment) == "environment.sqlite")
        #expect(try await made("--database=sqlite:\(folder.path)/option.sqlite", environment) == "option.sqlite")
    }

    @Test func `The environment can name the file, and numbers and flags are read from both`() async throws {
        let json = #"{"port": 1, "noMigrate": true, "logLevel": "error", "currency": "JPY"}"#
        let config = try folder.file("pouch.json", json)
        let database = try await TestDatabase(in: folder, isFresh: true).text
        let environment = ["POUCH_CONFIG": config, "POUCH_DATABASE": database, "POUCH_PORT": "0"]
        try await ServerProgram.run("serve", "--create", environment: environment)
            .expectFailure("older than this server")
        try await ServerProgram.run("migrate", environment: environment).good()
        try await ServerProgram.serve(environment: environment) { server in
            let methods = try await server.guest().call(Contract.shippingMethods).good().items
            #expect(methods.map(\.price.currency.code) == ["JPY", "JPY"])
        }.good()
    }

    @Test(arguments: ["serve", "sandbox-payments", "migrate"])
    func `An unknown key in the configuration file is refused before anything happens`(command: String) async throws {
        let json = #"{"prot": 1, "database": "sqlite:\#(folder.path)/shop.sqlite"}"#
        let outcome = try await ServerProgram.run(command, "--config", folder.file("pouch.json", json))
        outcome.expectFailure("unknown key “prot”", code: 64)
        #expect(outcome.output.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pouch.json"])
    }

    @Test func `With a port that the system chooses, links in pages and mails have that port`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let mails = folder.appending(path: "mails")
        try await ServerProgram.serve(on: database, "--mail", "folder:" + mails.path) { server in
            let own = "http://127.0.0.1:\(server.port)"
            for (path, text) in [
                ("/sitemap.xml", "<loc>\(own)/product/cap</loc>"), ("/product/cap", "rel=\"canonical\" href=\"\(own)/"),
            ] { #expect(try await server.anyone.send("GET", path).text.contains(text), "\(path)") }
            try await server.guest().buyNow("cap").good()
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

    @Test func `Links begin with the configured address of the shop, and not with the port`() async throws {
        let database = try await ShopFolder.stocked(folder)
        try await ServerProgram.serve(on: database, "--public-url", "https://shop.example.com") { server in
            let text = try await server.anyone.send("GET", "/sitemap.xml").text
            #expect(text.contains("<loc>https://shop.example.com/product/cap</loc>") && !text.contains("127.0.0.1"))
        }
    }

    @Test func `The version is one word`() async throws {
        let outcome = try await ServerProgram.run("--version").good()
        #expect(outcome.output.wholeMatch(of: #/pouch-server \S+\n/#) != nil && outcome.errors.isEmpty)
    }

    @Test func `Another currency than the database's is reported in one sentence, with exit code 1`() async throws {
        let database = try await TestDatabase(in: folder).text
        let csv = "Handle,Title,Variant SKU,Variant Inventory Qty,Variant Price\ncap,Cap,cap,3,1500\n"
        let feed = try folder.file("feed.csv", csv)
        func load(_ more: String...) async throws -> ServerProgram.Outcome {
            try await ServerProgram.run(["import", "--format", "shopify-csv", "--database", database, feed] + more)
        }
        #expect(try await load("--currency", "JPY").good().output.contains("1 created"))
        let sentence = "The prices of this shop are in JPY, not EUR. Omit --currency, and use JPY in the settings file."
        for refused in [
            try await load("--currency", "EUR"),
            try await ServerProgram.run("serve", "--port", "0", "--database", database, "--currency", "EUR"),
        ] {
            #expect(refused.status == .exited(1) && refused.output.isEmpty)
            #expect(refused.errors == "Error: \(sentence)\n")
        }
        #expect(try await load().good().output.contains("1 unchanged"))
        try await ServerProgram.serve(on: database) { server in
            let cap = try await server.anyone.call(Contract.product, path: ["handle": "cap"]).good()
            #expect(cap.price.currency.code == "JPY" && cap.price.amount == 1500)
        }
    }

    @Test(arguments: [
        ["serve", "--database", "mysql:x"], ["serve", "--database", "postgres://h/x?nothing=1"],
        ["serve", "--database", "postgres://ann:secret@127.0.0.1/x"], ["serve", "--port", "70000"],
        ["serve", "--port", "x"], ["serve", "--currency", "XXX"], ["serve", "--city-speed", "0"],
        ["serve", "--city-speed", "100001"], ["serve", "--kangaroos=-1"], ["serve", "--kangaroos", "10001"],
        ["serve", "--kangaroos", "many"], ["serve", "--tls-key", "x"], ["serve", "--config", "/nowhere.json"],
        ["serve", "--log-level", "loud"], ["serve", "--payments", "nowhere"],
        ["serve", "--payments", "http://127.0.0.1:99999"], ["serve", "--payments", "http://127.0.0.1:0"],
        ["serve", "--payments", "http://127.0.0.1:65536"],
        ["serve", "--payments", "http://127.0.0.1:18446744073709551616"],
        ["serve", "--payments", "http://x", "--payments-key-file", "/nowhere"],
        ["sandbox-payments", "--port", "70000"], ["sandbox-payments", "--key-file", "/nowhere"],
        ["import", "--format", "xml", "x"], ["import", "x"], ["backup"], ["admin", "create"], ["account", "create"],
        ["nothing"], ["serve", "--trusted-proxies", "10.0.0.0/40"], ["serve", "--trusted-proxies", "proxy"],
        ["serve", "--allow-origin", "*"], ["serve", "--allow-origin", "https://shop.example.com/"],
        ["serve", "--allow-origin", "https://Shop.example.com"], ["serve", "--rate-limit", "0.01"],
        ["serve", "--allow-origin", "https://shop.example.com:443"], ["serve", "--new-sessions=-1"],
        ["serve", "--connections", "1"],
    ])
    func `Invalid arguments are reported, with exit code 64`(arguments: [String]) async throws {
        let outcome = try await ServerProgram.run(arguments)
        #expect(outcome.status == .exited(64) && !outcome.errors.isEmpty && outcome.output.isEmpty)
        #expect(!outcome.errors.contains("secret"))
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
    func `A mistyped path of the database does not create a new shop`(arguments: [String]) async throws {
        let path = folder.appending(path: "deep/mistyped.sqlite").path
        let outcome = try await ServerProgram.run(
            arguments + ["--database", "sqlite:" + path], input: .password + "\n")
        outcome.expectFailure("There is no database at \(path).")
        #expect(outcome.errors.contains("--create") == (["serve", "admin", "account"].contains(arguments[0])))
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "deep").path))
    }

    @Test(.enabled(if: TestDatabase.isPostgres)) func `For a backup of PostgreSQL pg_dump is suggested`() async throws {
        let (database, copy) = (try await TestDatabase(in: folder).text, folder.appending(path: "copy.sqlite").path)
        try await ServerProgram.run("backup", "--database", database, copy).expectFailure("pg_dump")
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test(.enabled(if: !TestDatabase.isPostgres))
    func `With --create a server creates a new shop, and without rides it has no routes of rides`() async throws {
        let database = "sqlite:" + folder.appending(path: "new.sqlite").path
        for options in [["--create", "--no-rides"], []] {
            let hasRides = options.isEmpty
            let outcome = try await ServerProgram.serve(on: database, options) { server in
                let rides = try await server.anyone.send("GET", "/v1/ride/options?latitude=-33.87&longitude=151.21")
                #expect(rides.status == (hasRides ? 200 : 404))
                let query = "country=AU&latitude=-33.8915&longitude=151.2767"
                let methods = try await server.guest().call(Contract.shippingMethods, query: query).good().items
                #expect(methods.contains { $0.id == "kangaroo" } == hasRides)
            }
            #expect(outcome.errors.contains("stopping;") && outcome.errors.contains("stopped"))
        }
    }

    @Test func `A mistake in the TLS files is named`() async throws {
        let own = try await Certificate(for: "IP:127.0.0.1", in: folder)
        let another = try await Certificate(for: "IP:127.0.0.1", in: folder.folder("other"))
        let database = try await TestDatabase(in: folder).text
        for (certificate, key, text) in [
            (own.key, own.key, "\(own.key.path) is not a PEM certificate chain."),
            (own.file, own.file, "\(own.file.path) does not contain a PEM private key."),
            (own.file, another.key, "\(another.key.path) does not match the certificate in \(own.file.path)."),
        ] {
            try await ServerProgram.run(
                "serve", "--port", "0", "--database", database, "--tls-certificate", certificate.path, "--tls-key",
                key.path
            ).expectFailure(text)
        }
    }

    @Test(.enabled(if: !TestDatabase.isPostgres))
    func `Servers on one file must have the same settings until all of them have ended`() async throws {
        let database = try await TestDatabase(in: folder).text
        let yaml = try folder.file("shop.yaml", "currency: EUR\nholdMinutes: 20\n")
        let arguments = ["--port", "0", "--database", database, "--city-speed"]
        for signal in [Signal.terminate, .kill] {
            _ = try await ServerProgram.serve(arguments + ["60"], signal: signal) { _ in
                try await ServerProgram.run(["serve"] + arguments + ["50", "--shop", yaml])
                    .expectFailure("different values of --city-speed and --shop")
                try await ServerProgram.serve(arguments + ["60"]) { _ in }.good()
            }
        }
        try await ServerProgram.serve(arguments + ["50"]) { _ in }.good()
    }

    @Test func `A restore without its ledger is reported at the start`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let sold = try await ServerProgram.serve(on: database, "--data", folder.path) { server in
            try await server.guest().buyNow("cap").good()
        }
        #expect(!sold.errors.contains("not the one that charged"))
        let elsewhere = folder.appending(path: "elsewhere").path
        let restored = try await ServerProgram.serve(on: database, "--data", elsewhere) { server in
            _ = try await server.anyone.call(Contract.healthReady).good()
        }
        #expect(restored.errors.contains("ledger is not the one that charged"), "\(restored.errors)")
    }

    @Test(arguments: [
        (["--metrics-host", "127.0.0.1"], "--metrics-host requires --metrics-port."),
        (["--metrics-port", "70000"], "Invalid metricsPort: expected 0 to 65535, got 70000."),
        (["--otlp", "collector:4318"], "--otlp must be an address such as http://127.0.0.1:4318"),
        (["--otlp", "http://a:b@c"], "--otlp must be an address such as http://127.0.0.1:4318"),
        (["--otlp", "http://127.0.0.1:99999"], "with a port from 1 to 65535"),
        (["--trace-sampling", "0.5"], "--trace-sampling requires --otlp."),
        (["--otlp", "http://a", "--trace-sampling", "2"], "--trace-sampling must be from 0 to 1."),
        (["--log-format", "xml"], "Unknown log format “xml”. Use text or json."),
    ])
    func `Options that do not fit together are refused with advice`(options: [String], text: String) async throws {
        let database = try await TestDatabase(in: folder).text
        try await ServerProgram.run(["serve", "--port", "0", "--database", database] + options)
            .expectFailure(text, code: 64)
    }

    @Test(arguments: [
        (["serve", "--host", "0.0.0.0"], "--trusted-proxies"), (["serve", "--host", "192.0.2.1"], "--plain-http"),
        (["serve", "--payments", "http://pay.example.com"], "--plain-http"),
        (["sandbox-payments", "--host", "0.0.0.0"], "--key-file"),
    ])
    func `Options that send secrets unencrypted are refused`(arguments: [String], advice: String) async throws {
        try await ServerProgram.run(arguments).expectFailure(advice, code: 64)
    }

    @Test(arguments: [
        ["--plain-http"], ["--trusted-proxies", "10.0.0.0/8"], ["--rate-limit", "0.1", "--new-sessions", "0"],
        ["--allow-origin", "https://shop.example.com,http://127.0.0.1:3000", "--connections", "100000"],
    ])
    func `A server obeys its access options`(options: [String]) async throws {
        let host = ["--plain-http", "--trusted-proxies"].contains(options[0]) ? "0.0.0.0" : "127.0.0.1"
        let database = try await TestDatabase(in: folder).text
        try await ServerProgram.serve(on: database, ["--host", host] + options) { server in
            let origin = ["Origin": "https://shop.example.com"]
            let answer = try await server.anyone.send("GET", "/v1/seasons", headers: origin)
            let allowed = answer.header("Access-Control-Allow-Origin")
            #expect(allowed == (options[0] == "--allow-origin" ? "https://shop.example.com" : nil))
            // One request in a burst.
            #expect(try await server.anyone.call(Contract.seasons).status == (options[0] == "--rate-limit" ? 429 : 200))
        }
    }

    @Test func `The log is JSON line by line, from the start to the end`() async throws {
        let database = try await TestDatabase(in: folder).text
        let port = try RawConnection.freePort()
        let outcome = try await ServerProgram.serve(
            on: database, "--log-format", "json", "--access-log", "--metrics-port", "\(port)"
        ) { server in
            _ = try await server.guest().cart()
            let found = try Exposition(try await Transport.tcp(port: port).anyone.send("GET", "/metrics").text)
            #expect(found.value("pouch_http_requests_total", ["route": "cart", "status": "200"]) == 1)
            #expect(found.value("process_start_time_seconds") ?? 0 > 1.7e9)
        }
        let lines = try outcome.errors.split(separator: "\n").map { try JSON(json: String($0)) }
        #expect(lines.filter { $0["message"] == "request" && $0["client"] == "127.0.0.1" }.count == 2)
        #expect(lines.last?["message"] == "stopped")
    }

    @Test(arguments: [
        [], ["serve"], ["migrate"], ["import"], ["admin"], ["keys", "rotate"], ["admin", "create"],
        ["account", "create"], ["backup"], ["restore"], ["doctor"], ["refunds", "list"], ["refunds", "settle"],
        ["settings"], ["sandbox-payments"],
    ])
    func `Every command has help`(command: [String]) async throws {
        let outcome = try await ServerProgram.run(command + ["--help"]).good()
        #expect(outcome.output.contains("OVERVIEW:") && outcome.output.contains("USAGE: pouch-server"))
        #expect(outcome.errors.isEmpty)
        if !["", "admin", "settings", "sandbox-payments"].contains(command.joined()) {
            #expect(outcome.output.contains("--database"))
        }
    }
}
