import ClientTesting
import Foundation
import KooberScenarios
import Loopback
import NIOCore
import NIOPosix
import PouchClient
import PouchEntities
import PseudoTerminal
import Synchronization
import Testing

/// A process that ends between a request and its answer. The model layer stores the request, so that one architecture
/// stands for all.
@Suite(.timeLimit(.minutes(5)))
struct CrashTests {
    @Test func `a ride whose answer was lost is requested once, and shown by the next process`() async throws {
        try await RideServer.open { server in
            try await server.signUp(.johnny)
            let proxy = try await HoldingProxy(server: #require(try await server.url.port))
            let proxying = Task { await proxy.run() }
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
                environment: [
                    "PATH": "/usr/bin:/bin", "HOME": folder.file("home").path, "SWIFT_BACKTRACE": "enable=no",
                ])
            // The server has the ride, and the program has no answer.
            _ = await proxy.held.first { _ in true }
            program.send(SIGKILL)
            #expect(await program.exit == 128 + SIGKILL)
            proxy.stopHolding()

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

/// A proxy on a port of its own that holds back the server's answers to ride requests and passes everything else.
final class HoldingProxy: Sendable {
    /// Yields once for each answer that is held back.
    let held: AsyncStream<Void>

    private let listener: ConnectionListener<ByteBuffer, ByteBuffer>
    private let server: Int
    private let holds = Mutex(true)
    private let hold: AsyncStream<Void>.Continuation

    var port: Int { listener.port }

    /// - Parameter server: the server's port on 127.0.0.1.
    init(server: Int) async throws {
        self.server = server
        (held, hold) = AsyncStream.makeStream(of: Void.self)
        listener = try await ConnectionListener()
    }

    func stopHolding() { holds.withLock { $0 = false } }

    /// Serves until its task is cancelled.
    func run() async { await listener.run(relay) }

    private func relay(
        _ requests: NIOAsyncChannelInboundStream<ByteBuffer>, _ toClient: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws {
        let server = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: server) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let isAskedForRide = Flag()
        try await server.executeThenClose { answers, toServer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for try await bytes in requests {
                        if String(buffer: bytes).hasPrefix("POST /v1/rides ") { isAskedForRide.raise() }
                        try await toServer.write(bytes)
                    }
                }
                group.addTask { [self] in
                    for try await bytes in answers {
                        guard isAskedForRide.isRaised, holds.withLock({ $0 }) else {
                            try await toClient.write(bytes)
                            continue
                        }
                        hold.yield()
                    }
                }
                // The end of one direction ends the other.
                _ = try await group.next()
                group.cancelAll()
            }
        }
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)

        var isRaised: Bool { value.withLock { $0 } }

        func raise() { value.withLock { $0 = true } }
    }
}
