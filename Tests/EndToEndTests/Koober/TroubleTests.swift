import ClientTesting
import Foundation
import KooberClient
import KooberKit
import KooberScenarios
import KooberScreens
import KooberTexts
import Loopback
import NIOCore
import NIOPosix
import PouchClient
import PouchEntities
import PouchTesting
import PseudoTerminal
import Synchronization
import Testing

/// Each scenario in each architecture, over a real server.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct ServedScenarioTests {
    @Test(arguments: Scenario.all, KooberArchitecture.allCases)
    func `each scenario shows its screens`(_ scenario: Scenario, _ architecture: KooberArchitecture) async throws {
        try await RideServer.open { @MainActor server in
            // The text of the screens does not depend on the server, so that one language is enough.
            try await scenario.run(
                AppUnderTest(
                    architecture, World(ServedRides(server)), on: TerminalRendering(in: .german),
                    opening: scenario.destination))
        }
    }
}

/// A server that stops, and starts again.
@Suite(.timeLimit(.minutes(5)))
struct TroubleTests {
    @Test func `each call says what failed while the server is away, and works once it is back`() async throws {
        try await RideServer.open { server in
            try await server.signUp(.johnny)
            let johnny = try Credentials(email: Rider.johnny.email, password: Secret(Rider.johnny.password))
            let ada = try NewAccount(
                name: "Ada", email: "ada@example.org", mobileNumber: "", password: Secret("battery staple"))
            let (device, other) = (try await server.device(), try await server.device())
            let session = try await device.makeAuthRemoteAPI().signIn(johnny)
            let rides = device.makeNewRideRepository(for: session)
            let locations = device.makeLocationRepository(for: session)
            let options = device.makeRideOptionRepository(for: session)
            let trip = RideWaypoints.sample()
            let request = NewRideRequest(waypoints: trip, option: PricedRideOption(option: .sample(), quote: .sample()))
            // A call that is repeated comes first, since it finds that the kept connection has ended.
            let calls: [(Phrase, () async throws -> Void)] = [
                (.ridesNotFound, { _ = try await rides.activeRide() }),
                (
                    .placesNotFound,
                    { _ = try await locations.searchForLocations(using: "bondi beach", near: trip.pickupLocation) }
                ),
                (.optionsNotFound, { _ = try await options.rideOptions(for: trip) }),
                (.rideNotRequested, { _ = try await rides.request(request) }),
                (.rideNotCancelled, { _ = try await rides.cancel("rid_1") }),
                (.signUpFailed, { _ = try await other.makeAuthRemoteAPI().signUp(ada) }),
                (.signInFailed, { _ = try await other.makeAuthRemoteAPI().signIn(johnny) }),
                (.signedOutHereOnly, { try await device.makeAuthRemoteAPI().signOut(session) }),
            ]
            try await server.leave()
            for (title, call) in calls {
                let error = await #expect(throws: ErrorMessage.self) { try await call() }
                #expect(error?.title == title && error?.message == .unreachable)
            }
            try await server.comeBack()
            let again = try await other.makeAuthRemoteAPI().signIn(johnny)
            #expect(try await other.makeNewRideRepository(for: again).activeRide() == nil)
        }
    }
}

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
            let ride = try #require(rides.first)
            #expect(rides.count == 1 && outcome.output.contains("ride requested; \(ride.id)"), "\(outcome.output)")
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
        let rideRequests = Counter()
        try await server.executeThenClose { answers, toServer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for try await bytes in requests {
                        if String(buffer: bytes).hasPrefix("POST /v1/rides ") { rideRequests.increment() }
                        try await toServer.write(bytes)
                    }
                }
                group.addTask { [self] in
                    for try await bytes in answers {
                        guard rideRequests.value > 0, holds.withLock({ $0 }) else {
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
}
