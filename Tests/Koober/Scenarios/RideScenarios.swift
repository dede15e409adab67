import ClientTesting
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
            #expect(end.id == ride.id && end.status == .completed)
            try await app.performs(.startNewRide, showing: .gettingUserLocation)
            try await app.confirms(try await app.choosesTrip(try await app.findsLocation()))
            #expect(try await app.receivesRide().id != ride.id)
            try await app.follows()
        },
        Scenario("each failure to follow a ride is reported, and the ride is followed again") { app in
            let ride = try await app.reachesRide()
            for _ in 1...2 {
                let error = try await app.world.updates.fails()
                try await app.shows(.waiting(ride), error: error)
                #expect(app.world.updates.waiting.isEmpty)
                try await app.acknowledges(.waiting(ride))
            }
            try await app.ridesToTheEnd()
        },
        Scenario("a ride is cancelled, and the next one starts") { app in
            try await app.cancels(try await app.reachesRide())
            let cancelled = try await app.world.cancel.passes()
            #expect(cancelled.status == .cancelledByRider)
            try await app.shows(.waiting(cancelled))
            try await app.performs(.startNewRide, showing: .gettingUserLocation)
            try await app.findsLocation()
        },
        Scenario("a ride goes on when cancelling fails") { app in
            let ride = try await app.reachesRide()
            try await app.world.updates.isAsked()
            for _ in 1...2 {
                try await app.cancels(ride)
                try await app.reports(app.world.cancel.fails(), on: .waiting(ride))
            }
            // These errors did not interrupt the updates, so that acknowledging them does not start others.
            await turnsPass()
            #expect(app.world.updates.asked.count == 1)
            try await app.ridesToTheEnd()
        },
        Scenario("a ride is followed while it is being cancelled, and its end ends the cancelling") { app in
            try await app.cancels(try await app.reachesRide())
            app.world.cancel.keepsCancelled()
            try await app.world.cancel.isAsked()
            try await app.ridesToTheEnd(isCancelling: true)
            // The late answer is no error.
            try await app.world.cancel.fails()
            try await app.performs(.startNewRide, showing: .gettingUserLocation)
            try await app.findsLocation()
        },
        Scenario("two errors are shown one after the other") { app in
            let ride = try await app.reachesRide()
            try await app.cancels(ride)
            let first = ErrorMessage(title: .verbatim("First"), message: .verbatim("1"))
            let second = ErrorMessage(title: .verbatim("Second"), message: .verbatim("2"))
            try await app.world.updates.fails(first)
            try await app.shows(.waiting(ride, isCancelling: true), error: first)
            try await app.world.cancel.fails(second)
            try await app.shows(.waiting(ride), error: first)
            try await app.performs(.acknowledgeError)
            try await app.reports(second, on: .waiting(ride))
            try await app.ridesToTheEnd()
        },
    ]

    static let profile: [Scenario] = [
        Scenario("the profile covers a screen that goes on changing") { app in
            let rider = app.profile(of: app.world.service.rider)
            try await app.launchesSignedIn()
            try await app.opensProfile(on: .gettingUserLocation)
            let pickup = try await app.locates()
            try await app.shows(app.map(pickup), profile: rider)
            try await app.performs(.closeProfile, showing: app.map(pickup))
            let near = try await app.opensPicker(pickup)
            try await app.searches("Manly", pickup, over: near)
            try await app.opensProfile(on: app.picker(pickup, "Manly", near, isSearching: true))
            let found = try await app.world.search.passes()
            try await app.shows(app.picker(pickup, "Manly", found), profile: rider)
            // Back applies to the topmost screen.
            try await app.performs(.goBack, showing: app.picker(pickup, "Manly", found))
            try await app.performs(.goBack, showing: app.map(pickup))
        },
        Scenario("the profile covers a ride and its errors") { app in
            let rider = app.profile(of: app.world.service.rider)
            try await app.reachesRide()
            try await app.opensProfile(on: .waiting(try await app.follows()))
            try await app.world.service.timePasses()
            let ride = try await app.follows(profile: rider)
            try await app.world.service.timePasses()
            let error = try await app.world.updates.fails()
            try await app.shows(.waiting(ride), profile: rider, error: error)
            try await app.acknowledges(.waiting(ride), profile: rider)
            try await app.performs(.closeProfile, showing: .waiting(ride))
        },
        Scenario("the user signs out and in again") { app in
            try await app.signsOut(on: app.map(try await app.reachesMap()))
            try await app.signsIn(app.world.service.rider)
            try await app.findsLocation()
            #expect(app.world.count(of: (any AuthRemoteAPI).self) == 1)
            #expect(app.world.count(of: (any LocationRepository).self) == 2)
        },
        Scenario("a sign-out counts even if the service cannot be reached") { app in
            try await app.asksToSignOut(on: app.map(try await app.reachesMap()))
            try await app.reports(app.world.signOut.fails(), on: .welcome)
            try await app.signsIn(app.world.service.otherRider)
        },
    ]
}
