#if os(Linux)
    import ServerTesting
    import Subprocess
    import SystemPackage
    import Testing

    /// A server behind nginx with the recipe of Server/Documentation/Operations.md.
    @Suite("nginx in front of the server process", .timeLimit(.minutes(5)), .inFolder)
    struct NginxProcessTests {
        private let folder = TemporaryFolder.current

        /// - Parameter body: receives nginx's port.
        private func serve(_ database: String, _ body: @escaping @Sendable (Int) async throws -> Void) async throws {
            let arguments = ["--data", folder.path, "--trusted-proxies", "127.0.0.1"]
            try await ServerProgram.serve(on: database, arguments) { server in
                let port = try RawConnection.freePort()
                _ = try await Subprocess.run(
                    .path(FilePath(URL.repository.appending(path: "Server/Demo/nginx.sh").path)),
                    arguments: [folder.path, "\(port)", "127.0.0.1:\(server.port)"],
                    input: .none, output: .discarded, error: .discarded
                ) { nginx in
                    let transport = Transport.tcp(port: port)
                    try await eventually { (try? await transport.anyone.call(Contract.healthReady).status) == 200 }
                    try await body(port)
                    try nginx.send(signal: .terminate)
                }
            }
        }

        /// Sends a request from an address of this machine, and returns the first line of the answer.
        private func send(
            _ head: String, _ body: String = "", length: Int? = nil, from client: String = "127.0.0.2", port: Int
        ) async throws -> String {
            let connection = try RawConnection(port: port, from: client)
            try connection.send(
                "\(head)\r\nHost: shop\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(length ?? body.utf8.count)\r\n\r\n\(body)")
            return String(await connection.receive().prefix { $0 != "\r\n" })
        }

        @Test func `A proxy that is not named as trusted is reported once`() async throws {
            let outcome = try await ServerProgram.serve(on: try await TestDatabase(in: folder).text) { server in
                for _ in 0..<3 {
                    try await server.anyone.call(Contract.seasons, headers: ["X-Forwarded-For": "192.0.2.1"]).good()
                }
            }
            #expect(outcome.errors.components(separatedBy: "--trusted-proxies").count == 2, "\(outcome.errors)")
        }

        @Test func `One client cannot lock an account for the others, nor hide behind its own header`() async throws {
            try await serve(try await TestDatabase(in: folder).text) { port in
                try await Transport.tcp(port: port).anyone.signUp().good()
                func signIn(_ password: String, from client: String, more: String = "") async throws -> String {
                    try await send(
                        "POST /v1/sessions HTTP/1.1" + more,
                        #"{"email":"ada@example.com","password":"\#(password)"}"#, from: client, port: port)
                }
                for _ in 0..<10 { #expect(try await signIn("wrong password", from: "127.0.0.2").contains("401")) }
                #expect(try await signIn(.password, from: "127.0.0.2").contains("429"))
                let forged = "\r\nX-Forwarded-For: 127.0.0.3"
                #expect(try await signIn(.password, from: "127.0.0.2", more: forged).contains("429"))
                #expect(try await signIn(.password, from: "127.0.0.3").contains("201"))
            }
        }

        @Test func `Large bodies are refused at their limit, and a stranger's feed before it is sent`() async throws {
            let database = try await TestDatabase(in: folder).text
            try await ShopFolder.makeOwner(database)
            try await serve(database) { port in
                // Above the server's limit, which names it, and above that of nginx.
                let shop = Transport.tcp(port: port)
                let long = "{\"email\":\"" + String(repeating: "a", count: 3 << 19) + "\"}"
                try await shop.anyone.send("POST", "/v1/sessions", long).problem(.bodyTooLarge)
                #expect(try await send("POST /v1/sessions HTTP/1.1", length: 3 << 20, port: port).contains("413"))

                // Nothing of the feed has been sent.
                let feed = "POST /v1/admin/imports?format=shopify-csv HTTP/1.1"
                #expect(try await send(feed, length: 200 << 20, port: port).contains("401"))
                #expect(try await send(feed, length: 300 << 20, port: port).contains("413"))
                // Nor of a picture, on both ways, and of a feed from the page.
                for path in ["/v1/admin/pictures", "/admin/pictures", "/admin/import"] {
                    let answer = try await send("POST \(path) HTTP/1.1", length: 3 << 20, port: port)
                    #expect(!answer.isEmpty && !answer.contains("413"), "\(path): \(answer)")
                }
                let picture = "POST /v1/admin/pictures HTTP/1.1"
                #expect(try await send(picture, length: 10 << 20, port: port).contains("413"))

                // Few products: nginx waits for a minute for the answer.
                let text = String(repeating: "Warm. ", count: 1_500)
                let rows = (0..<300).map { "product-\($0),Product,\(text),10.00\n" }
                let bytes = Data(("Handle,Title,Body (HTML),Variant Price\n" + rows.joined()).utf8)
                #expect(bytes.count > 2 << 20)
                let admin = try await shop.signIn("root@example.com")
                let path = "/v1/admin/imports?format=shopify-csv&dryRun=true"
                let answer = try await admin.send("POST", path, bytes: bytes, headers: ["Content-Type": "text/csv"])
                #expect(answer.status == 202)
            }
        }
    }
#endif
