import PouchPostgres
import ServerTesting
import Subprocess
import SystemPackage
import Testing

@Suite("Connections to PostgreSQL", .enabled(if: TestDatabase.isPostgres), .timeLimit(.minutes(5)), .inFolder)
struct ConnectingTests {
    private let folder = TemporaryFolder.current

    /// Whether the connection is encrypted.
    private func isEncrypted(_ address: String, passwordFile: URL? = nil) async throws -> Bool {
        var address = try PostgresAddress(address)
        address.passwordFile = passwordFile?.path
        let database = PostgresDatabase(address)
        return try await withCleanup(database.close) {
            try await database.read {
                try $0.row("SELECT ssl::int FROM pg_stat_ssl WHERE pid = pg_backend_pid()", [])?.int(0) == 1
            }
        }
    }

    private func expectRefusal(
        _ address: String, passwordFile: URL? = nil, because reason: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await #expect(sourceLocation: sourceLocation) {
            _ = try await isEncrypted(address, passwordFile: passwordFile)
        } throws: { error in
            (error as? UnavailableError)?.reason.contains(reason) == true
        }
    }

    @Test func `The address requests TLS, and a certificate is valid only for its own name`() async throws {
        let certificate = try await Certificate(for: "IP:127.0.0.1", in: folder)
        let stranger = try await Certificate(for: "IP:127.0.0.1", in: folder.folder("other"))
        try await Cluster.use { cluster in
            let address = try await cluster.start(with: certificate)
            #expect(try await isEncrypted(address + "&sslmode=require"))
            #expect(try await !isEncrypted(address + "&sslmode=disable"))
            let root = "&sslrootcert=\(certificate.file.path)"
            #expect(try await isEncrypted(address + "&sslmode=verify-full" + root))
            let named = address.replacing("@127.0.0.1:", with: "@localhost:")
            await expectRefusal(named + "&sslmode=verify-full" + root, because: "does not match host name")
            let other = address + "&sslmode=verify-full&sslrootcert="
            await expectRefusal(other + stranger.file.path, because: "certificate verify failed")
            await expectRefusal(other + "\(folder.path)/nothing.pem", because: "does not exist")
        }
    }

    @Test func `A server without TLS is refused if the address requires it`() async throws {
        try await Cluster.use { cluster in
            let address = try await cluster.start()
            await expectRefusal(address + "&sslmode=require", because: "does not support SSL")
        }
    }

    @Test func `The password is the first line of the file, and a wrong or missing one is refused`() async throws {
        try await Cluster.use { cluster in
            let address = try await cluster.start().replacing(/passfile=.*/, with: "passfile=\(folder.path)/nothing")
            let (right, wrong) = (folder.appending(path: "right"), folder.appending(path: "wrong"))
            try Data("\(try cluster.password)\nand a note\n".utf8).write(to: right)
            try Data("not \(try cluster.password)\n".utf8).write(to: wrong)
            #expect(try await !isEncrypted(address, passwordFile: right))
            await expectRefusal(address, passwordFile: wrong, because: "password authentication failed")
            await expectRefusal(address, because: "no password supplied")
        }
    }

    @Test func `The program reads the password from a file or PGPASSWORD, and never prints it`() async throws {
        try await Cluster.use { cluster in
            let address = try await cluster.start().replacing(/passfile=.*/, with: "passfile=\(folder.path)/nothing")
            let password = try cluster.password
            let file = folder.appending(path: "password")
            try Data("\(password)\n".utf8).write(to: file)
            func migrate(_ more: String..., environment: [String: String] = [:]) async throws -> ServerProgram.Outcome {
                let outcome = try await ServerProgram.run(
                    ["migrate", "--database", address] + more, environment: environment)
                #expect(!(outcome.output + outcome.errors).contains(password))
                return outcome
            }
            try await migrate().expectFailure("no password supplied")
            try await migrate(environment: ["PGPASSWORD": password + "x"]).expectFailure("authentication failed")
            let fromFile = try await migrate("--database-password-file", file.path).good()
            #expect(fromFile.output.contains("Applied"))
            let fromEnvironment = try await migrate(environment: ["PGPASSWORD": password]).good()
            #expect(fromEnvironment.output.contains("up to date"))
        }
    }
}

@Suite("Database addresses")
struct PostgresAddressTests {
    @Test(arguments: [
        "postgres://ann@db.example.com:5432/shop?sslmode=verify-full", "postgresql://db/shop", "postgres://",
        "postgres://ann@[::1]:5433/shop?connect_timeout=2", "postgres:///shop?host=/run/postgresql",
    ])
    func `Addresses that libpq accepts are accepted`(text: String) throws {
        guard case .postgres(let address) = try DatabaseAddress(text) else {
            Issue.record("\(text) is a PostgreSQL address.")
            return
        }
        #expect(address.text == text)
    }

    @Test(arguments: ["postgres://ann:secret@db/shop", "postgres://ann@db/shop?password=secret"])
    func `A password in the address is refused and not repeated in the error`(text: String) {
        #expect(throws: StorageError.passwordInAddress) { try DatabaseAddress(text) }
    }

    @Test(arguments: ["", "sqlite:", "postgres:", "mysql://db/shop", "postgres://db/x?nothing=1"])
    func `Any other address is refused`(text: String) {
        #expect(throws: StorageError.unsupportedAddress) { try DatabaseAddress(text) }
    }
}

@Suite("Outages of the database server", .enabled(if: TestDatabase.isPostgres), .timeLimit(.minutes(10)))
struct RestartTests {
    /// The orders and refusals that the buyers got.
    private actor Responses {
        private(set) var orders: [String] = []
        private(set) var refusals = 0
        private(set) var isFinished = false

        func ordered(_ id: String) { orders.append(id) }
        func finish() { isFinished = true }
        func refused() { refusals += 1 }
    }

    @Test func `During an outage the server returns 503, then recovers by itself and loses no order`() async throws {
        try await Cluster.use { cluster in
            let address = try DatabaseAddress(try await cluster.start())
            try await TestShop.open([.stocked("cap", stock: 100_000)], configure: { $0.database = address }) { shop in
                let responses = Responses()
                let buyers = try await parallel(8) { _ in try await shop.guest() }
                let load = Task {
                    try await parallel(buyers.count) { number in
                        while await !responses.isFinished {
                            let answer = try await buyers[number].buyNow()
                            if answer.status == 503 {
                                #expect(answer.header(HeaderName.retryAfter) != nil)
                                await responses.refused()
                            } else {
                                try await responses.ordered(answer.good().id)
                            }
                        }
                    }
                }
                try await eventually { await responses.orders.count >= 20 }

                try await cluster.stop()
                let away = try await shop.anyone.send("GET", "/health/ready")
                try away.problem(.unavailable)
                #expect(away.header(HeaderName.retryAfter) == "1" && !away.text.contains("127.0.0.1"))
                #expect(try await shop.anyone.send("GET", "/health/live").status == 200)
                try await eventually { await responses.refusals >= 8 }

                let before = await responses.orders.count
                try await cluster.start()
                try await eventually { try await shop.anyone.send("GET", "/health/ready").status == 200 }
                try await eventually { await responses.orders.count >= before + 20 }
                await responses.finish()
                _ = try await load.value

                // Orders interrupted by the stop are settled once their time has come.
                shop.clock.advance(by: 600)
                try await eventually { try await shop.rows("SELECT 1 FROM orders WHERE status = 'pending'").isEmpty }
                let paid = try await Set(
                    shop.rows("SELECT id FROM orders WHERE status = 'paid'").map { try $0.text(0) })
                #expect(await responses.orders.allSatisfy(paid.contains))
                #expect(try await shop.units("cap") == [100_000 - paid.count, 0])
                #expect(try await shop.charges() == paid.count)
            }
        }
    }
}

/// A PostgreSQL server that a test can stop and start.
struct Cluster: Sendable {
    private let folder: URL

    static func use(_ body: (Cluster) async throws -> Void) async throws {
        try await TemporaryFolder.use { folder in
            let cluster = Cluster(folder: folder)
            try await withCleanup({ _ = try? await cluster.stop() }) { try await body(cluster) }
        }
    }

    /// - Parameter options: server options, such as `-c ssl=on`.
    /// - Returns: the address of a database.
    @discardableResult
    func start(_ options: String...) async throws -> String { try await script("start", options) }

    /// The password of the only user, available once the server has started.
    var password: String {
        get throws {
            let line = try String(contentsOf: folder.appending(path: "pgpass"), encoding: .utf8)
            return try #require(line.split(separator: ":").last).trimmingCharacters(in: .newlines)
        }
    }

    /// Starts the server with TLS.
    func start(with certificate: Certificate) async throws -> String {
        // The first start needs an empty folder.
        try await start()
        try await stop()
        let data = folder.appending(path: "cluster")
        let owner = try FileManager.default.attributesOfItem(atPath: data.path)[.ownerAccountName] ?? ""
        for (from, name) in [(certificate.file, "server.crt"), (certificate.key, "server.key")] {
            let file = data.appending(path: name)
            try FileManager.default.copyItem(at: from, to: file)
            try FileManager.default.setAttributes(
                [.ownerAccountName: owner, .posixPermissions: 0o600], ofItemAtPath: file.path)
        }
        return try await start("-c", "ssl=on")
    }

    func stop() async throws { _ = try await script("stop") }

    private func script(_ verb: String, _ options: [String] = []) async throws -> String {
        let result = try await Subprocess.run(
            .path(FilePath(URL.repository.appending(path: ".ci/postgres").path)),
            arguments: Arguments([verb, folder.path] + options), input: .none,
            output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
        try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
        return result.standardOutput.trimmingCharacters(in: .newlines)
    }
}

/// A self-signed certificate with its key.
struct Certificate {
    /// The certificate and its key, as PEM files.
    let file: URL
    let key: URL

    /// - Parameter name: the subject alternative name, such as `IP:127.0.0.1`.
    init(for name: String, in folder: URL) async throws {
        file = folder.appending(path: "certificate.pem")
        key = folder.appending(path: "key.pem")
        let result = try await Subprocess.run(
            .name("openssl"),
            arguments: [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=pouch", "-addext", "subjectAltName=\(name)", "-keyout", key.path, "-out", file.path,
            ], input: .none, output: .discarded, error: .string(limit: 1 << 16))
        try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
    }
}
