import Foundation
import KooberScenarios
import KooberScreens
import KooberTexts
import PouchEntities
import PouchRides
import Testing

/// One long story in each architecture, over an equal server each.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct StoryTests {
    @Test func `the same story shows the same screens in all architectures`() async throws {
        var seen: [KooberArchitecture: [KooberScreen]] = [:]
        for architecture in KooberArchitecture.allCases {
            let screens = Recorded()
            try await RideServer.open { @MainActor server in
                let user = KooberUser(architecture, try await server.device())
                try await play(user, server)
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

    private func play(_ user: KooberUser, _ server: RideServer) async throws {
        let (johnny, ada) = (Rider.johnny, Rider.ada)
        try await server.signUp(ada)
        try await user.seesWelcome()
        try user.performs(.goToSignUp)
        try await user.seesForm()
        try user.performs(
            .signUp(
                name: johnny.name, email: johnny.email, mobileNumber: johnny.mobileNumber,
                password: Secret(johnny.password)))
        try await user.seesMap()

        #expect(try await user.searches("sydeny oprea").contains { $0.name == .verbatim("Sydney Opera House") })
        try user.performs(.selectDropoff("Sydney Opera House"))
        let options = try await user.seesOptions()
        #expect(options.map(\.id) == ["wallaby", "wallaroo", "kangaroo"])
        let fares = options.compactMap(\.fare.price?.amount)
        #expect(fares.count == 3)
        #expect(fares == fares.sorted())
        try user.performs(.selectRideOption("kangaroo"))
        try await user.seesConfirmation()

        // The first kangaroo turns back, and then another one is free.
        try await server.occupy(.calm)
        let ride = try await user.rides(by: .wallaby)
        #expect(ride.status == .requested)
        #expect(ride.fare == options[0].fare.price.map(Phrase.costs))
        try await server.add(.turningBack(on: ride.id, .wallaby))
        try await server.timePasses()
        #expect(try await user.seesRide(.accepted).driver?.name == "Ziggy")
        try await server.timePasses()
        try await user.seesRide(.requested)
        try await server.release(.calm)
        for status in [RideStatus.accepted, .arriving, .inProgress, .completed] {
            try await server.timePasses()
            #expect(try await user.seesRide(status).driver?.name.hasPrefix("Skip") == true)
        }

        try user.performs(.showProfile)
        let profile = try await user.seesProfile()
        #expect(
            profile
                == ProfileScreen(
                    Profile(id: "", name: johnny.name, email: johnny.email, mobileNumber: johnny.mobileNumber)))
        try user.performs(.closeProfile)
        try await user.seesRide(.completed)
        try user.performs(.startNewRide)
        try await user.seesMap()
        try await user.signsOut()
        try await user.seesWelcome()

        try await user.signsIn(ada)
        try await user.seesMap()
        try user.performs(.showProfile)
        #expect(try await user.seesProfile().email == ada.email)
    }
}

/// Each scenario in each architecture, over a real server.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct ServedScenarioTests {
    @Test(arguments: Scenario.all, KooberArchitecture.allCases)
    func `each scenario shows its screens over a server`(_ scenario: Scenario, _ architecture: KooberArchitecture)
        async throws
    {
        try await RideServer.open { @MainActor server in
            // The text of the screens does not depend on the server, so that one language is enough.
            try await scenario.run(
                AppUnderTest(
                    architecture, World(ServedRides(server)), on: TerminalRendering(in: .german),
                    opening: scenario.destination))
        }
    }
}

/// Removes everything that differs between two runs of the same story.
///
/// Replaces the ids of rides by numbers, and removes times and the locations of kangaroos: these are reported once a
/// second of the machine's time, not of the server's.
func comparable(_ seen: [KooberScreen]) -> [KooberScreen] {
    var ids: [Ride.ID] = []
    var screens: [KooberScreen] = []
    for var screen in seen {
        if case .waitingForPickup(var waiting) = screen.content {
            let ride = waiting.ride
            if !ids.contains(ride.id) { ids.append(ride.id) }
            waiting.ride.id = "ride \(ids.firstIndex(of: ride.id) ?? 0)"
            waiting.ride.statusText = .verbatim(ride.status.rawValue)
            waiting.ride.secondsLeft = nil
            waiting.ride.driver?.text = .verbatim(ride.driver?.name ?? "")
            waiting.ride.driver?.location = ride.pickup.location
            screen.content = .waitingForPickup(waiting)
        }
        if screens.last != screen { screens.append(screen) }
    }
    return screens
}

extension Phrase {
    /// The price that it states alone.
    var price: Money? {
        if case .price(let money) = self { money } else { nil }
    }
}
