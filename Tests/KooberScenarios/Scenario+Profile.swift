import KooberKit
import KooberScreens
import PouchEntities
import Testing

extension Scenario {
    static let profile: [Scenario] = [
        Scenario("the profile lies over what goes on beneath") { app in
            let rider = app.profile(of: app.world.service.rider)
            try await app.comesIn()
            try app.wants(.showProfile)
            try await app.sees(.gettingUserLocation, profile: rider)
            try await app.world.activeRide.passes()
            let pickup = try await app.world.userLocation.passes()
            try await app.sees(app.map(pickup), profile: rider)
            try app.wants(.closeProfile)
            try await app.sees(app.map(pickup))
            let near = try await app.opensPicker(pickup)
            try app.wants(.searchDropoffs("Manly"))
            try await app.sees(app.picker(pickup, "Manly", near, isSearching: true))
            try app.wants(.showProfile)
            try await app.sees(app.picker(pickup, "Manly", near, isSearching: true), profile: rider)
            let found = try await app.world.search.passes()
            try await app.sees(app.picker(pickup, "Manly", found), profile: rider)
            // Back is meant for what lies on top.
            try app.wants(.goBack)
            try await app.sees(app.picker(pickup, "Manly", found))
            try app.wants(.goBack)
            try await app.sees(app.map(pickup))
        },
        Scenario("the profile lies over a ride, and over what goes wrong there") { app in
            let rider = app.profile(of: app.world.service.rider)
            var ride = try await app.comesToRide()
            ride = try await app.follows()
            try app.wants(.showProfile)
            try await app.sees(.waitingForPickup(WaitingScreen(ride: ride)), profile: rider)
            try await app.world.service.timePasses()
            ride = try await app.follows(profile: rider)
            try await app.world.service.timePasses()
            let error = try await app.world.updates.fails()
            try await app.sees(.waitingForPickup(WaitingScreen(ride: ride)), profile: rider, error: error)
            try await app.acknowledges(.waitingForPickup(WaitingScreen(ride: ride)), profile: rider)
            try app.wants(.closeProfile)
            try await app.sees(.waitingForPickup(WaitingScreen(ride: ride)))
        },
        Scenario("somebody signs out, and in again") { app in
            let rider = app.world.service.rider
            let pickup = try await app.comesToMap()
            try app.wants(.showProfile)
            try await app.sees(app.map(pickup), profile: app.profile(of: rider))
            try app.wants(.signOut)
            try await app.sees(app.map(pickup), profile: app.profile(of: rider, isSigningOut: true))
            try await app.world.signOut.passes()
            try await app.sees(.welcome)
            try await app.signsIn(rider)
            _ = try await app.findsLocation()
            #expect(app.world.count(of: "UserSessionRepository") == 1)
            #expect(app.world.count(of: "LocationRepository") == 2)
        },
        Scenario("a sign-out of which the service could not be told is one") { app in
            let rider = app.world.service.rider
            let pickup = try await app.comesToMap()
            try app.wants(.showProfile)
            try await app.sees(app.map(pickup), profile: app.profile(of: rider))
            try app.wants(.signOut)
            try await app.sees(app.map(pickup), profile: app.profile(of: rider, isSigningOut: true))
            let error = try await app.world.signOut.fails()
            try await app.sees(.welcome, error: error)
            try await app.acknowledges(.welcome)
            try await app.signsIn(app.world.service.otherRider)
        },
    ]
}
