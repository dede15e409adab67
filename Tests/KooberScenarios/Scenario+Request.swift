import KooberKit
import KooberScreens
import PouchEntities
import Testing

extension Scenario {
    static let request: [Scenario] = [
        Scenario("a request is sent as it was confirmed") { app in
            let trip = try await app.comesToOptions()
            try app.wants(.selectRideOption(trip.options[0].id))
            try await app.sees(trip.offer(selected: 0))
            try app.wants(.selectRideOption(trip.options[1].id))
            try await app.sees(trip.offer(selected: 1))
            try app.wants(.confirmRide)
            try await app.sees(trip.screen(.sendingRideRequest))
            let ride = try await app.world.request.passes()
            try await app.sees(.waitingForPickup(WaitingScreen(ride: ride)))
            let request = try #require(app.world.request.asked.first)
            #expect(request.option == trip.options[1])
            #expect(request.waypoints.pickupLocation == trip.pickup)
            #expect(request.waypoints.dropoffLocation == trip.dropoff.location)
            #expect(app.world.request.asked.count == 1)
        },
        Scenario("a request that fails is told of, and is made again with fresh prices") { app in
            let trip = try await app.comesToOptions()
            for _ in 1...2 {
                try await app.confirms(trip)
                let error = try await app.world.request.fails()
                try await app.sees(trip.offer(selected: 0), error: error)
                try await app.acknowledges(trip.loading)
                let fresh = AppUnderTest.Trip(
                    pickup: trip.pickup, dropoff: trip.dropoff, options: try await app.world.rideOptions.passes())
                try await app.sees(fresh.offer(selected: nil))
            }
            #expect(app.world.rideOptions.asked.count == 3)
            try await app.confirms(trip)
            let ride = try await app.world.request.passes()
            try await app.sees(.waitingForPickup(WaitingScreen(ride: ride)))
        },
        Scenario("who has a ride that was asked for elsewhere sees that one, and gets no second") { app in
            let trip = try await app.comesToOptions()
            let ride = try #require(try await app.world.hasRideElsewhere())
            try app.wants(.selectRideOption(trip.options[1].id))
            try await app.sees(trip.offer(selected: 1))
            try app.wants(.confirmRide)
            try await app.sees(trip.screen(.sendingRideRequest))
            let found = try await app.world.request.passes()
            #expect(found.id == ride.id)
            #expect(found.rideOptionID == trip.options[0].id)
            try await app.sees(.waitingForPickup(WaitingScreen(ride: found)))
            try await app.ridesToTheEnd()
        },
        Scenario("fresh prices after a failed request may fail too") { app in
            let trip = try await app.comesToOptions()
            try await app.confirms(trip)
            let refusal = try await app.world.request.fails()
            try await app.sees(trip.offer(selected: 0), error: refusal)
            try await app.acknowledges(trip.loading)
            let error = try await app.world.rideOptions.fails()
            let nothing = AppUnderTest.Trip(pickup: trip.pickup, dropoff: trip.dropoff, options: [])
            try await app.sees(nothing.offer(selected: nil), error: error)
            try await app.acknowledges(nothing.offer(selected: nil))
        },
    ]
}
