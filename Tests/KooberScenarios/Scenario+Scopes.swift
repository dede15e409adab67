import KooberKit
import KooberScreens
import PouchEntities
import Testing

extension Scenario {
    static let scopes: [Scenario] =
        [
            Scenario("who is welcomed has left nothing of the launch") { app in
                app.start()
                try await app.sees(.launching)
                #expect(!app.objects.alive(in: .launch).isEmpty)
                try await app.world.readUserSession.passes()
                try await app.sees(.welcome)
                try await app.isGone(.launch)
            },
            Scenario("who has signed in leaves nothing of the onboarding") { app in
                try await app.comesToWelcome()
                #expect(app.objects.holdContainer(of: .onboarding))
                try app.wants(.goToSignUp)
                try await app.sees(.signUp(AppUnderTest.idle))
                try app.wants(.goBack)
                try await app.sees(.welcome)
                try await app.signsIn(app.world.service.rider)
                try await app.isGone(.onboarding)
                #expect(app.objects.alive(in: .signedIn).contains("GatedLocationRepository"))
                #expect(app.objects.holdContainer(of: .signedIn))
            },
            Scenario("who has a ride leaves nothing of what led to it, and the next ride begins with new objects") {
                app in
                let trip = try await app.comesToOptions()
                try await app.isGone(.gettingUserLocation)
                #expect(app.objects.holdContainer(of: .pickMeUp))
                let count = app.objects.count(in: .pickMeUp)
                try await app.confirms(trip)
                let ride = try await app.world.request.passes()
                try await app.sees(.waitingForPickup(WaitingScreen(ride: ride)))
                try await app.isGone(.pickMeUp)
                #expect(!app.objects.alive(in: .waitingForPickup).isEmpty)
                try await app.ridesToTheEnd()
                try app.wants(.startNewRide)
                try await app.sees(.gettingUserLocation)
                try await app.isGone(.waitingForPickup)
                _ = try await app.findsLocation()
                #expect(app.objects.count(in: .pickMeUp) > count)
                #expect(app.world.userLocation.asked.count == 2)
                #expect(app.world.count(of: "LocationRepository") == 1)
            },
            Scenario("an app that nobody refers to any more is gone") { app in
                let pickup = try await app.comesToMap()
                try app.wants(.showProfile)
                try await app.sees(app.map(pickup), profile: app.profile(of: app.world.service.rider))
                try app.wants(.signOut)
                try await app.sees(
                    app.map(pickup), profile: app.profile(of: app.world.service.rider, isSigningOut: true))
                try await app.world.signOut.passes()
                try await app.sees(.welcome)
                #expect(app.objects.holdContainer(of: .app))
                app.isDropped()
                for scope in ObjectScope.allCases { try await app.isGone(scope) }
            },
        ] + Moment.canSignOut.map(signOut) + Moment.allCases.map(sessionEnd) + Moment.allCases.map(secondUser)

    private static let ofSession: [ObjectScope] = [.signedIn, .gettingUserLocation, .pickMeUp, .waitingForPickup]

    private static func signOut(at moment: Moment) -> Scenario {
        Scenario("who signs out leaves nothing: \(moment)") { app in
            let rider = app.world.service.rider
            try await app.comesIn()
            try await moment.reach(app)
            let shown = try #require(app.shown)
            try app.wants(.showProfile)
            try await app.sees(shown.content, profile: app.profile(of: rider))
            #expect(!app.objects.alive(in: .signedIn).isEmpty)
            try app.wants(.signOut)
            try await app.sees(shown.content, profile: app.profile(of: rider, isSigningOut: true))
            try await app.world.signOut.passes()
            try await app.sees(.welcome)
            for scope in ofSession { try await app.isGone(scope) }
        }
    }

    private static func sessionEnd(at moment: Moment) -> Scenario {
        Scenario("whose session ends elsewhere is told, and leaves nothing: \(moment)") { app in
            try await app.comesIn()
            try await moment.reach(app)
            #expect(!app.objects.alive(in: .signedIn).isEmpty)
            try await app.sessionEnds(of: app.world.service.rider)
            for scope in ofSession { try await app.isGone(scope) }
            // The errors of the session went with it.
            try await app.acknowledges(.welcome)
        }
    }

    private static func secondUser(after moment: Moment) -> Scenario {
        Scenario("whoever comes next sees nothing of the first, who left in the middle: \(moment)") { app in
            let next = app.world.service.otherRider
            try await app.comesIn()
            try await moment.reach(app)
            app.world.keepsCancelledCalls()
            try await app.sessionEnds(of: app.world.service.rider)
            try await app.acknowledges(.welcome)
            app.world.keepsCancelledCalls(false)
            try app.wants(.goToSignIn)
            try await app.sees(.signIn(AppUnderTest.idle))
            try app.wants(.signIn(email: next.email, password: Secret(next.password)))
            try await app.sees(.signIn(AppUnderTest.busy))
            // Late, as the next one comes in.
            try await app.world.answersAllThatWaits()
            try await app.world.signIn.passes()
            try await app.sees(.gettingUserLocation)
            let trip = try await app.choosesTrip(try await app.findsLocation())
            try app.wants(.showProfile)
            try await app.sees(trip.offer(selected: nil), profile: app.profile(of: next))
            try app.wants(.closeProfile)
            try await app.sees(trip.offer(selected: nil))
            try await app.confirms(trip)
            let ride = try await app.world.request.passes()
            try await app.sees(.waitingForPickup(WaitingScreen(ride: ride)))
            try await app.ridesToTheEnd()
        }
    }
}
