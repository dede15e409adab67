import Foundation
import KooberScenarios
import PouchClient
import PouchEntities
import PseudoTerminal
import Testing

/// The process ends between a request and its answer. What is kept of it is the model layer's, which all architectures
/// share, so that one of them stands for all.
@Suite(.timeLimit(.minutes(2)))
struct CrashTests {
    @Test func `a ride whose answer was never heard is asked for once, and is shown by the next process`() async throws
    {
        try await RideServer.open { server in
            try await server.signUp(.johnny)
            let proxy = try await HoldingProxy(server: #require(try await server.url.port))
            let proxying = Task { try await proxy.run() }
            defer { proxying.cancel() }
            let folder = try TemporaryFolder()
            let script = try folder.file(
                "script",
                containing: """
                    go-to-sign-in
                    sign-in \(Rider.johnny.email) "\(Rider.johnny.password)"
                    where-to
                    search bondi beach
                    choose Bondi Beach
                    option wallaby
                    confirm
                    """)
            let arguments = [
                "--server", "http://127.0.0.1:\(proxy.port)", "--session-store", "file", "--state",
                folder.file("state").path, "--verbose", "--script",
            ]

            let terminal = try PseudoTerminal()
            let program = try terminal.run(
                BuiltProgram.url("koober"), arguments + [script.path],
                environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "SWIFT_BACKTRACE": "enable=no"])
            // The server has the ride; the program does not know.
            _ = await proxy.held.first { _ in true }
            program.send(SIGKILL)
            #expect(await program.exit == 128 + SIGKILL)
            proxy.letsAllThrough()

            let outcome = try await Program.run("koober", arguments + ["-"], environment: [:], input: "profile\n")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let client = try await server.elsewhere()
            try await client.account.signIn(email: Rider.johnny.email, password: Rider.johnny.password)
            let rides = try await client.rides.rides().items
            #expect(rides.count == 1)
            let ride = try #require(rides.first)
            #expect(outcome.output.contains("ride requested; \(ride.id)"), "\(outcome.output)")
        }
    }
}
