import KooberKit
import KooberScreens
import KooberTexts
import PouchEntities
import Testing

extension Scenario {
    static let waiting: [Scenario] = [
        Scenario("a ride is followed to its end, and the next one is requested") { app in
            let ride = try await app.reachesRide()
            let end = try await app.ridesToTheEnd()
            #expect(end.id == ride.id)
            #expect(end.status == .completed)
            try await app.performs(.startNewRide)
            try await app.shows(.gettingUserLocation)
            let pickup = try await app.findsLocation()
            let trip = try await app.choosesTrip(pickup)
            try await app.confirms(trip)
            let next = try await app.world.request.passes()
            #expect(next.id != ride.id)
            try await app.shows(.waitingForPickup(WaitingScreen(ride: next)))
            try await app.follows()
        },
        Scenario("each failure to follow a ride is reported, and the ride is followed again") { app in
            let ride = try await app.reachesRide()
            for _ in 1...2 {
                let error = try await app.world.updates.fails()
                try await app.shows(.waitingForPickup(WaitingScreen(ride: ride)), error: error)
                #expect(app.world.updates.waiting.isEmpty)
                try await app.acknowledges(.waitingForPickup(WaitingScreen(ride: ride)))
            }
            try await app.ridesToTheEnd()
        },
        Scenario("a ride is cancelled, and the next one starts") { app in
            let ride = try await app.reachesRide()
            try await app.performs(.cancelRide)
            try await app.shows(.waitingForPickup(WaitingScreen(ride: ride, isCancelling: true)))
            let cancelled = try await app.world.cancel.passes()
            #expect(cancelled.status == .cancelledByRider)
            try await app.shows(.waitingForPickup(WaitingScreen(ride: cancelled)))
            try await app.performs(.startNewRide)
            try await app.shows(.gettingUserLocation)
            _ = try await app.findsLocation()
        },
        Scenario("a ride goes on when cancelling fails") { app in
            let ride = try await app.reachesRide()
            for _ in 1...2 {
                try await app.performs(.cancelRide)
                try await app.shows(.waitingForPickup(WaitingScreen(ride: ride, isCancelling: true)))
                let error = try await app.world.cancel.fails()
                try await app.shows(.waitingForPickup(WaitingScreen(ride: ride)), error: error)
                try await app.acknowledges(.waitingForPickup(WaitingScreen(ride: ride)))
            }
            try await app.ridesToTheEnd()
        },
        Scenario("a ride is followed while it is being cancelled, and its end ends the cancelling") {
            app in
            let ride = try await app.reachesRide()
            try await app.performs(.cancelRide)
            try await app.shows(.waitingForPickup(WaitingScreen(ride: ride, isCancelling: true)))
            try await app.world.cancel.isAsked()
            try await app.ridesToTheEnd(isCancelling: true)
        },
        Scenario("two errors are shown one after the other") { app in
            let ride = try await app.reachesRide()
            try await app.performs(.cancelRide)
            try await app.shows(.waitingForPickup(WaitingScreen(ride: ride, isCancelling: true)))
            let first = try await app.world.updates.fails(
                ErrorMessage(title: .verbatim("First"), message: .verbatim("1")))
            try await app.shows(.waitingForPickup(WaitingScreen(ride: ride, isCancelling: true)), error: first)
            let second = try await app.world.cancel.fails(
                ErrorMessage(title: .verbatim("Second"), message: .verbatim("2")))
            try await app.shows(.waitingForPickup(WaitingScreen(ride: ride)), error: first)
            try await app.performs(.acknowledgeError)
            try await app.shows(.waitingForPickup(WaitingScreen(ride: ride)), error: second)
            try await app.acknowledges(.waitingForPickup(WaitingScreen(ride: ride)))
            try await app.ridesToTheEnd()
        },
    ]
}

extension Scenario {
    static let profile: [Scenario] = [
        Scenario("the profile covers a screen that goes on changing") { app in
            let rider = app.profile(of: app.world.service.rider)
            try await app.launchesSignedIn()
            try await app.performs(.showProfile)
            try await app.shows(.gettingUserLocation, profile: rider)
            try await app.world.activeRide.passes()
            let pickup = try await app.world.userLocation.passes()
            try await app.shows(app.map(pickup), profile: rider)
            try await app.performs(.closeProfile)
            try await app.shows(app.map(pickup))
            let near = try await app.opensPicker(pickup)
            try await app.performs(.searchDropoffs("Manly"))
            try await app.shows(app.picker(pickup, "Manly", near, isSearching: true))
            try await app.performs(.showProfile)
            try await app.shows(app.picker(pickup, "Manly", near, isSearching: true), profile: rider)
            let found = try await app.world.search.passes()
            try await app.shows(app.picker(pickup, "Manly", found), profile: rider)
            // Back applies to the topmost screen.
            try await app.performs(.goBack)
            try await app.shows(app.picker(pickup, "Manly", found))
            try await app.performs(.goBack)
            try await app.shows(app.map(pickup))
        },
        Scenario("the profile covers a ride and its errors") { app in
            let rider = app.profile(of: app.world.service.rider)
            var ride = try await app.reachesRide()
            ride = try await app.follows()
            try await app.performs(.showProfile)
            try await app.shows(.waitingForPickup(WaitingScreen(ride: ride)), profile: rider)
            try await app.world.service.timePasses()
            ride = try await app.follows(profile: rider)
            try await app.world.service.timePasses()
            let error = try await app.world.updates.fails()
            try await app.shows(.waitingForPickup(WaitingScreen(ride: ride)), profile: rider, error: error)
            try await app.acknowledges(.waitingForPickup(WaitingScreen(ride: ride)), profile: rider)
            try await app.performs(.closeProfile)
            try await app.shows(.waitingForPickup(WaitingScreen(ride: ride)))
        },
        Scenario("the user signs out and in again") { app in
            let rider = app.world.service.rider
            let pickup = try await app.reachesMap()
            try await app.performs(.showProfile)
            try await app.shows(app.map(pickup), profile: app.profile(of: rider))
            try await app.performs(.signOut)
            try await app.shows(app.map(pickup), profile: app.profile(of: rider, isSigningOut: true))
            try await app.world.signOut.passes()
            try await app.shows(.welcome)
            try await app.signsIn(rider)
            _ = try await app.findsLocation()
            #expect(app.world.count(of: "AuthRemoteAPI") == 1)
            #expect(app.world.count(of: "LocationRepository") == 2)
        },
        Scenario("a sign-out counts even if the service cannot be reached") { app in
            let rider = app.world.service.rider
            let pickup = try await app.reachesMap()
            try await app.performs(.showProfile)
            try await app.shows(app.map(pickup), profile: app.profile(of: rider))
            try await app.performs(.signOut)
            try await app.shows(app.map(pickup), profile: app.profile(of: rider, isSigningOut: true))
            let error = try await app.world.signOut.fails()
            try await app.shows(.welcome, error: error)
            try await app.acknowledges(.welcome)
            try await app.signsIn(app.world.service.otherRider)
        },
    ]
}
