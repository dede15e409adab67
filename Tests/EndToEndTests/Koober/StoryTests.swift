import Foundation
import KooberScenarios
import KooberScreens
import PouchEntities
import PouchRides
import Testing

/// One long story in each architecture, over an equal server each.
@MainActor
@Suite(.timeLimit(.minutes(3)))
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

        #expect(try await user.searches("sydeny oprea").contains { $0.name == "Sydney Opera House" })
        try user.performs(.selectDropoff("Sydney Opera House"))
        let options = try await user.seesOptions()
        #expect(options.map(\.id) == ["wallaby", "wallaroo", "kangaroo"])
        let fares = options.map(\.fare.amount)
        #expect(fares == fares.sorted())
        try user.performs(.selectRideOption("kangaroo"))
        try await user.seesConfirmation()

        // The first kangaroo turns back, and then another one is free.
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

        try user.performs(.showProfile)
        let profile = try await user.seesProfile()
        #expect(profile == ProfileScreen(name: johnny.name, email: johnny.email, mobileNumber: johnny.mobileNumber))
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
@Suite(.timeLimit(.minutes(3)))
struct ServedScenarioTests {
    @Test(arguments: Scenario.all, KooberArchitecture.allCases)
    func `each scenario shows its screens over a server`(_ scenario: Scenario, _ architecture: KooberArchitecture)
        async throws
    {
        try await RideServer.open { @MainActor server in
            try await scenario.run(AppUnderTest(architecture, World(ServedRides(server))))
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
            waiting.ride = Ride(
                id: "ride \(ids.count)", status: ride.status, waypoints: ride.waypoints,
                rideOptionID: ride.rideOptionID, fare: ride.fare,
                driver: ride.driver.map {
                    Ride.Driver(name: $0.name, rating: $0.rating, location: ride.waypoints.pickupLocation)
                },
                etaSeconds: nil, createdAt: .distantPast,
                history: ride.history.map { Ride.Event(status: $0.status, at: .distantPast) })
            screen.content = .waitingForPickup(waiting)
        }
        if screens.last != screen { screens.append(screen) }
    }
    return screens
}
