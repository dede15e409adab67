import KooberScenarios
import KooberScreens
import PouchDomain
import PouchEntities
import Testing

/// One long story, told in each architecture to a server of its own that begins the same.
@MainActor
@Suite(.timeLimit(.minutes(3)))
struct StoryTests {
    @Test func `the same story looks the same in all architectures`() async throws {
        var seen: [KooberArchitecture: [KooberScreen]] = [:]
        for architecture in KooberArchitecture.allCases {
            let screens = Recorded()
            try await RideServer.open { @MainActor server in
                let user = KooberUser(architecture, try await server.device())
                try await tell(user, server)
                screens.all = comparable(user.seen)
            }
            seen[architecture] = screens.all
        }
        let first = try #require(seen[.mvvm])
        #expect(first.count == 34)
        for architecture in KooberArchitecture.allCases {
            let other = try #require(seen[architecture])
            for (index, pair) in zip(first, other).enumerated() {
                try #require(pair.0 == pair.1, "screen \(index) of \(architecture)")
            }
            #expect(first.count == other.count, "\(architecture)")
        }
    }

    @MainActor private final class Recorded {
        var all: [KooberScreen] = []
    }

    private func tell(_ user: KooberUser, _ server: RideServer) async throws {
        let (johnny, ada) = (Rider.johnny, Rider.ada)
        try await server.signUp(ada)
        try await user.seesWelcome()
        try user.wants(.goToSignUp)
        try await user.seesForm()
        try user.wants(
            .signUp(
                name: johnny.name, email: johnny.email, mobileNumber: johnny.mobileNumber,
                password: Secret(johnny.password)))
        try await user.seesMap()

        #expect(try await user.searches("sydeny oprea").contains { $0.name == "Sydney Opera House" })
        try user.wants(.selectDropoff("Sydney Opera House"))
        let options = try await user.seesOptions()
        #expect(options.map(\.id) == ["wallaby", "wallaroo", "kangaroo"])
        #expect(options.map(\.fare) == options.map(\.fare).sorted { $0.amount < $1.amount })
        try user.wants(.selectRideOption("kangaroo"))
        try await user.seesConfirmation()

        // The one that comes along turns back; then another has time.
        try await server.occupy(.calm)
        let ride = try await user.rides(by: .wallaby)
        #expect(ride.status == .requested)
        #expect(ride.fare == options[0].fare)
        try await server.add(.turningBack(on: ride))
        try await server.timePasses()
        #expect(try await user.seesRide(.accepted).driver?.name == "Ziggy")
        try await server.timePasses()
        try await user.seesRide(.requested)
        try await server.release(.calm)
        for status in [RideStatus.accepted, .arriving, .inProgress, .completed] {
            try await server.timePasses()
            #expect(try await user.seesRide(status).driver?.name.hasPrefix("Skip") == true)
        }

        try user.wants(.showProfile)
        let profile = try await user.seesProfile()
        #expect(profile == ProfileScreen(name: johnny.name, email: johnny.email, mobileNumber: johnny.mobileNumber))
        try user.wants(.closeProfile)
        try await user.seesRide(.completed)
        try user.wants(.startNewRide)
        try await user.seesMap()
        try await user.signsOut()
        try await user.seesWelcome()

        try await user.signsIn(ada)
        try await user.seesMap()
        try user.wants(.showProfile)
        #expect(try await user.seesProfile().email == ada.email)
    }
}
