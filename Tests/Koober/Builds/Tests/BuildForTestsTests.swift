import Foundation
import KooberBuilds
import KooberKit
import KooberScenarios
import KooberTexts
import PouchClient
import PouchEntities
import PouchTesting
import Testing

/// Each scenario in each architecture and in each language, in a build whose remote API is a fake.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct BuildForTestsTests {
    @Test(arguments: Scenario.all, KooberArchitecture.allCases)
    func `each scenario shows its screens without a server`(
        _ scenario: Scenario, _ architecture: KooberArchitecture
    ) async throws {
        for language in Language.allCases {
            let (service, rendering) = (try FakeRides(), TerminalRendering(in: language))
            let app = AppUnderTest(architecture, World(service), on: rendering, opening: scenario.destination)
            try await scenario.run(app)
            #expect(service.build.remoteAPI.unanswered == [])
            #expect(!FileManager.default.fileExists(atPath: service.folder.path))
        }
    }
}

/// A device in a build with `KOOBER_TEST`, with the accounts of two riders. Without the condition this does not compile:
/// only then, a build has a fake.
struct FakeRides: KooberService {
    let rider = Rider(
        name: "Johnny", email: "johnny@example.org", mobileNumber: "510-736-8754", password: "correct horse")
    let otherRider = Rider(name: "Ada", email: "ada@example.org", mobileNumber: "", password: "battery staple")
    let build: KooberBuild
    /// Stays absent, because the session is in memory.
    let folder: URL

    init() throws {
        // Port 1 of this machine answers nothing.
        let server = try #require(URL(string: "http://127.0.0.1:1"))
        folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
        build = KooberBuild(
            server: server, storage: DeviceStorage(server: server, application: "koober-builds", in: folder))
        for rider in [rider, otherRider] {
            build.remoteAPI.change { world in
                world.passwords[rider.email] = rider.password
                world.profiles["acc_" + rider.name] = Profile(
                    id: "acc_" + rider.name, name: rider.name, email: rider.email,
                    mobileNumber: rider.mobileNumber.isEmpty ? nil : rider.mobileNumber)
            }
        }
    }

    var model: any KooberModelFactory { build.model }

    func timePasses() {
        let steps: [RideStatus: RideStatus] = [
            .requested: .accepted, .accepted: .arriving, .arriving: .inProgress, .inProgress: .completed,
        ]
        for ride in build.remoteAPI.world.rides.values.joined() {
            if let next = steps[ride.status] { build.remoteAPI.advance(ride.id, to: next) }
        }
    }

    /// Changes the password on another device, which ends all other sessions. This device learns of it from its next
    /// request, which is made here.
    func endSessions(of rider: Rider) async throws {
        let elsewhere = Pouch(testing: build.remoteAPI)
        try await elsewhere.account.signIn(email: rider.email, password: rider.password)
        try await elsewhere.account.changePassword(from: rider.password, to: rider.password + ", changed")
        guard let session = try await model.makeUserSessionDataStore().readUserSession() else { return }
        _ = try? await model.makeNewRideRepository(for: session).activeRide()
    }
}
