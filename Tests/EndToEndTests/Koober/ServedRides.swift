import KooberClient
import KooberKit
import KooberScenarios
import PouchClient

/// A device and a real server, with the accounts of two riders.
struct ServedRides: KooberService {
    let model: any KooberModelFactory
    let rider = Rider.johnny
    let otherRider = Rider.ada
    private let server: RideServer

    init(_ server: RideServer) async throws {
        self.server = server
        model = try await server.device()
        for rider in [rider, otherRider] { try await server.signUp(rider) }
    }

    func timePasses() async throws { try await server.timePasses() }

    /// A device hears of it with the next thing that it asks, which is whether a ride is under way.
    func endSessions(of rider: Rider) async throws {
        try await server.endSessions(of: rider)
        let dataStore = model.makeUserSessionDataStore()
        guard let session = try await dataStore.readUserSession() else { return }
        _ = try? await model.makeNewRideRepository(for: session).activeRide()
    }
}

extension Rider {
    static let johnny = Rider(
        name: "Johnny", email: "johnny@example.org", mobileNumber: "510-736-8754", password: "correct horse")
    static let ada = Rider(name: "Ada", email: "ada@example.org", mobileNumber: "", password: "battery staple")
}

extension RideServer {
    func signUp(_ rider: Rider) async throws {
        try await elsewhere().account.signUp(
            name: rider.name, email: rider.email,
            mobileNumber: rider.mobileNumber.isEmpty ? nil : rider.mobileNumber, password: rider.password)
    }

    /// The rider changes the password on another device, which ends all other sessions.
    func endSessions(of rider: Rider) async throws {
        let client = try elsewhere()
        try await client.account.signIn(email: rider.email, password: rider.password)
        try await client.account.changePassword(from: rider.password, to: rider.password + ", changed")
    }
}
