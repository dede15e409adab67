import ClientTesting
import Foundation
import KooberKit
import KooberScenarios
import KooberScreens
import KooberTexts
import Loopback
import NIOCore
import NIOPosix
import PouchClient
import PouchDomain
import PouchEntities
import PouchRides
import PseudoTerminal
import Synchronization
import Testing

/// The errors of a real service as each architecture shows them, and the ways to go on.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct TroubleTests {
    /// Starts at the welcome screen, with an account for Johnny.
    private func open(
        _ architecture: KooberArchitecture,
        _ body: @escaping @MainActor @Sendable (KooberUser, RideServer) async throws -> Void
    ) async throws {
        try await RideServer.open { @MainActor server in
            try await server.signUp(.johnny)
            let user = KooberUser(architecture, try await server.device())
            try await user.seesWelcome()
            try await body(user, server)
        }
    }

    /// Signs in and loads the options for a trip.
    private func reachOptions(_ user: KooberUser) async throws {
        try await user.reachesMap(as: .johnny)
        try await user.choosesTrip()
    }

    @Test(arguments: KooberArchitecture.allCases)
    func `a wrong password and an address that is taken`(_ architecture: KooberArchitecture) async throws {
        try await open(architecture) { user, _ in
            let johnny = Rider.johnny
            try await user.opens(.goToSignIn)
            try user.performs(.signIn(email: johnny.email, password: Secret("wrong horse")))
            try await user.seesError(.signInFailed, .wrongCredentials)
            try user.performs(.acknowledgeError)
            try await user.seesForm()
            try user.performs(.goBack)
            try await user.seesWelcome()
            try await user.opens(.goToSignUp)
            let account = { (email: String) in
                Intention.signUp(name: "Johnny", email: email, mobileNumber: "", password: Secret("another horse"))
            }
            try user.performs(account(johnny.email))
            try await user.seesError(.signUpFailed, .emailTaken)
            try user.performs(.acknowledgeError)
            try await user.seesForm()
            try user.performs(account("new." + johnny.email))
            try await user.seesMap()
        }
    }

    @Test(arguments: KooberArchitecture.allCases)
    func `a server that is unreachable at each step, and returns`(_ architecture: KooberArchitecture) async throws {
        try await open(architecture) { user, server in
            /// Performs an intention without the server, and acknowledges the error.
            @MainActor func fails(
                _ intention: Intention, _ title: Phrase, orDoubt doubt: ErrorNote? = nil
            ) async throws {
                try await server.leave()
                try user.performs(intention)
                let certain = ErrorNote(title: title, message: .unreachable)
                try await user.seesError(among: [certain] + [doubt].compactMap(\.self))
                try await server.comeBack()
                try user.performs(.acknowledgeError)
            }
            let johnny = Rider.johnny
            try await user.opens(.goToSignUp)
            try await fails(
                .signUp(name: "Ada", email: "ada@example.org", mobileNumber: "", password: Secret("battery staple")),
                .signUpFailed)
            try await user.seesForm()
            try user.performs(.goBack)
            try await user.seesWelcome()
            try await user.opens(.goToSignIn)
            let signIn = Intention.signIn(email: johnny.email, password: Secret(johnny.password))
            try await fails(signIn, .signInFailed)
            try await user.seesForm()
            try user.performs(signIn)
            try await user.seesMap()

            try user.performs(.chooseDropoff)
            _ = try await user.seesPlaces()
            try await fails(.searchDropoffs("bondi beach"), .placesNotFound)
            _ = try await user.seesPlaces()
            try user.performs(.searchDropoffs("bondi beach"))
            #expect(try await user.seesPlaces().first?.name == .verbatim("Bondi Beach"))
            try await fails(.selectDropoff("Bondi Beach"), .optionsNotFound)
            #expect(try await user.seesOptions().isEmpty)
            try await user.choosesTrip()

            try user.performs(.selectRideOption(Species.wallaby.rawValue))
            try await user.seesConfirmation()
            // Nothing was sent, unless on a kept connection of which the device did not yet know that it had ended.
            try await fails(
                .confirmRide, .rideNotRequested,
                orDoubt: ErrorNote(
                    title: .rideMaybeRequested, message: .sentences([.unreachable, .rideMaybeRequestedAdvice])))
            try await user.seesOptions()
            let ride = try await user.rides(by: .wallaby)
            #expect(ride.status == .requested)

            try await fails(.cancelRide, .rideNotCancelled)
            try await user.seesRide()
            try await server.leave()
            try await server.comeBack()
            try await server.timePasses()
            try await user.seesRide(.accepted)

            try await user.opensProfile()
            try await fails(.signOut, .signedOutHereOnly)
            try await user.seesWelcome()
            // The ride goes on.
            try await user.signsIn(johnny)
            #expect(try await user.seesRide().id == ride.id)
        }
    }

    @Test(arguments: KooberArchitecture.allCases)
    func `a launch without the server shows the ride once the server returns`(
        _ architecture: KooberArchitecture
    ) async throws {
        try await open(architecture) { user, server in
            try await reachOptions(user)
            let ride = try await user.rides(by: .wallaby)
            try await server.leave()
            // A second app on the same device stands for a restart.
            let later = KooberUser(architecture, user.device)
            for isBack in [false, true] {
                try await later.seesError(.ridesNotFound, .unreachable)
                if isBack { try await server.comeBack() }
                try later.performs(.acknowledgeError)
            }
            #expect(try await later.seesRide().id == ride.id)
        }
    }

    @Test(arguments: KooberArchitecture.allCases)
    func `a ride in progress that was requested on another device`(_ architecture: KooberArchitecture) async throws {
        try await open(architecture) { user, server in
            try await reachOptions(user)
            let other = try await server.elsewhere()
            try await other.account.signIn(email: Rider.johnny.email, password: Rider.johnny.password)
            let trip = RideWaypoints(
                pickupLocation: GeoPoint(latitude: -33.8568, longitude: 151.2153),
                dropoffLocation: GeoPoint(latitude: -33.8915, longitude: 151.2767))
            let ride = try await other.rides.request(trip, option: Species.wallaroo.rawValue)
            let shown = try await user.rides(by: .wallaby)
            #expect(shown.id == ride.id && shown.fare == .costs(ride.fare))
            try user.performs(.cancelRide)
            try await user.seesRide(.cancelledByRider)
            try await user.startsAgain()
            try await user.choosesTrip()
            #expect(try await user.rides(by: .wallaby).id != ride.id)
        }
    }

    @Test(arguments: KooberArchitecture.allCases)
    func `an expired fare`(_ architecture: KooberArchitecture) async throws {
        try await open(architecture) { user, server in
            try await reachOptions(user)
            server.clock.advance(by: 301)
            try await user.confirms(.kangaroo)
            try await user.seesError(.rideNotRequested, .quoteExpired)
            try user.performs(.acknowledgeError)
            let options = try await user.seesOptions()
            #expect(try await user.rides(by: .kangaroo).fare == options.last?.fare.price.map(Phrase.costs))
        }
    }

    @Test(arguments: KooberArchitecture.allCases)
    func `a session that ends elsewhere while options are loaded and while a ride is followed`(
        _ architecture: KooberArchitecture
    ) async throws {
        try await open(architecture) { user, server in
            let note = ErrorNote(title: .signedOut, message: .sessionEndedAdvice)
            try await reachOptions(user)
            _ = try await user.searches("Manly Beach")
            try await server.endSessions(of: .johnny)
            // The next request reports the end to the device.
            try user.performs(.selectDropoff("Manly Beach"))
            try await user.sees { $0 == KooberScreen(.welcome, error: note) ? true : nil }
            try user.performs(.acknowledgeError)
            try await user.seesWelcome()

            try await server.signUp(.ada)
            try await user.reachesMap(as: .ada)
            try await user.choosesTrip()
            _ = try await user.rides(by: .wallaby)
            try await server.timePasses()
            try await user.seesRide(.accepted)
            try await server.endSessions(of: .ada)
            // Without a request, the stream of the ride reports the end.
            #expect(try await user.seesError(note.title, note.message) == .welcome)
            try user.performs(.acknowledgeError)
            try await user.seesWelcome()
        }
    }

    @Test(arguments: KooberArchitecture.allCases)
    func `no kangaroo is free`(_ architecture: KooberArchitecture) async throws {
        try await open(architecture) { user, server in
            try await reachOptions(user)
            try await server.occupy(.calm)
            #expect(try await user.rides(by: .wallaby).status == .requested)
            try await server.timePasses()
            #expect(try await user.seesRide(.noDriversAvailable).driver == nil)
            try await server.release(.calm)
            try await user.startsAgain()
            try await user.choosesTrip()
            server.clock.advance(by: 1)
            #expect(try await user.rides(by: .wallaby).status == .requested)
            try await server.timePasses()
            try await user.seesRide(.accepted)
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
