import KooberKit
import KooberScreens
import PouchEntities
import Testing

extension Scenario {
    static let waiting: [Scenario] = [
        Scenario("a ride is followed to its end, and then there is another") { app in
            let ride = try await app.comesToRide()
            let end = try await app.ridesToTheEnd()
            #expect(end.id == ride.id)
            #expect(end.status == .completed)
            try app.wants(.startNewRide)
            try await app.sees(.gettingUserLocation)
            let pickup = try await app.findsLocation()
            let trip = try await app.choosesTrip(pickup)
            try await app.confirms(trip)
            let next = try await app.world.request.passes()
            #expect(next.id != ride.id)
            try await app.sees(.waitingForPickup(WaitingScreen(ride: next)))
            try await app.follows()
        },
        Scenario("where a ride cannot be followed, that is told each time, and it is followed again") { app in
            let ride = try await app.comesToRide()
            for _ in 1...2 {
                let error = try await app.world.updates.fails()
                try await app.sees(.waitingForPickup(WaitingScreen(ride: ride)), error: error)
                #expect(app.world.updates.waiting.isEmpty)
                try await app.acknowledges(.waitingForPickup(WaitingScreen(ride: ride)))
            }
            try await app.ridesToTheEnd()
        },
        Scenario("a ride is cancelled, and then there is another") { app in
            let ride = try await app.comesToRide()
            try app.wants(.cancelRide)
            try await app.sees(.waitingForPickup(WaitingScreen(ride: ride, isCancelling: true)))
            let cancelled = try await app.world.cancel.passes()
            #expect(cancelled.status == .cancelledByRider)
            try await app.sees(.waitingForPickup(WaitingScreen(ride: cancelled)))
            try app.wants(.startNewRide)
            try await app.sees(.gettingUserLocation)
            _ = try await app.findsLocation()
        },
        Scenario("a ride that could not be cancelled goes on") { app in
            let ride = try await app.comesToRide()
            for _ in 1...2 {
                try app.wants(.cancelRide)
                try await app.sees(.waitingForPickup(WaitingScreen(ride: ride, isCancelling: true)))
                let error = try await app.world.cancel.fails()
                try await app.sees(.waitingForPickup(WaitingScreen(ride: ride)), error: error)
                try await app.acknowledges(.waitingForPickup(WaitingScreen(ride: ride)))
            }
            try await app.ridesToTheEnd()
        },
        Scenario("what happens to a ride while it is being cancelled is shown, and its end is the end of that too") {
            app in
            let ride = try await app.comesToRide()
            try app.wants(.cancelRide)
            try await app.sees(.waitingForPickup(WaitingScreen(ride: ride, isCancelling: true)))
            try await app.world.cancel.isAsked()
            try await app.ridesToTheEnd(isCancelling: true)
        },
        Scenario("two errors are shown one after the other") { app in
            let ride = try await app.comesToRide()
            try app.wants(.cancelRide)
            try await app.sees(.waitingForPickup(WaitingScreen(ride: ride, isCancelling: true)))
            let first = try await app.world.updates.fails(ErrorMessage(title: "First", message: "1"))
            try await app.sees(.waitingForPickup(WaitingScreen(ride: ride, isCancelling: true)), error: first)
            let second = try await app.world.cancel.fails(ErrorMessage(title: "Second", message: "2"))
            try await app.sees(.waitingForPickup(WaitingScreen(ride: ride)), error: first)
            try app.wants(.acknowledgeError)
            try await app.sees(.waitingForPickup(WaitingScreen(ride: ride)), error: second)
            try await app.acknowledges(.waitingForPickup(WaitingScreen(ride: ride)))
            try await app.ridesToTheEnd()
        },
    ]
}
