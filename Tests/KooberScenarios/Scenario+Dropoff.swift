import KooberKit
import KooberScreens
import PouchEntities
import Testing

extension Scenario {
    static let dropoff: [Scenario] = [
        Scenario("places near by, then those of a text, then a trip") { app in
            let pickup = try await app.comesToMap()
            let near = try await app.opensPicker(pickup)
            let wanted = try #require(near.last)
            try app.wants(.searchDropoffs(wanted.name))
            try await app.sees(app.picker(pickup, wanted.name, near, isSearching: true))
            let found = try await app.world.search.passes()
            try await app.sees(app.picker(pickup, wanted.name, found))
            #expect(app.world.search.asked == ["", wanted.name])
            try app.wants(.selectDropoff(wanted.name))
            let trip = AppUnderTest.Trip(pickup: pickup, dropoff: wanted, options: [])
            try await app.sees(trip.loading)
            let options = try await app.world.rideOptions.passes {
                $0 == RideWaypoints(pickupLocation: pickup, dropoffLocation: wanted.location)
            }
            try await app.sees(
                AppUnderTest.Trip(pickup: pickup, dropoff: wanted, options: options).offer(selected: nil))
        },
        Scenario("only the newest search counts: an older one answers before it") { app in
            let pickup = try await app.comesToMap()
            let near = try await app.opensPicker(pickup)
            app.world.keepsCancelledCalls()
            try app.wants(.searchDropoffs("no such place"))
            try await app.sees(app.picker(pickup, "no such place", near, isSearching: true))
            try await app.world.search.isAsked { $0 == "no such place" }
            try app.wants(.searchDropoffs(near[1].name))
            try await app.sees(app.picker(pickup, near[1].name, near, isSearching: true))
            try await app.world.search.isAsked { $0 == near[1].name }
            try await app.world.search.passes { $0 == "no such place" }
            let found = try await app.world.search.passes()
            try await app.sees(app.picker(pickup, near[1].name, found))
        },
        Scenario("only the newest search counts: older ones answer and fail after it") { app in
            let pickup = try await app.comesToMap()
            let near = try await app.opensPicker(pickup)
            app.world.keepsCancelledCalls()
            for text in ["no such place", "none either", near[1].name] {
                try app.wants(.searchDropoffs(text))
                try await app.sees(app.picker(pickup, text, near, isSearching: true))
                try await app.world.search.isAsked { $0 == text }
            }
            let found = try await app.world.search.passes { $0 == near[1].name }
            try await app.sees(app.picker(pickup, near[1].name, found))
            try await app.world.search.passes { $0 == "no such place" }
            try await app.world.search.fails { $0 == "none either" }
            // What a wrong app shows of them would come before this.
            try app.wants(.searchDropoffs(""))
            try await app.sees(app.picker(pickup, "", found, isSearching: true))
            let again = try await app.world.search.passes()
            try await app.sees(app.picker(pickup, "", again))
            try app.wants(.goBack)
            try await app.sees(app.map(pickup))
        },
        Scenario("a search that is cancelled shows no error") { app in
            let pickup = try await app.comesToMap()
            let near = try await app.opensPicker(pickup)
            try app.wants(.searchDropoffs("no such place"))
            try await app.sees(app.picker(pickup, "no such place", near, isSearching: true))
            try await app.world.search.isAsked()
            try app.wants(.searchDropoffs(""))
            try await app.sees(app.picker(pickup, "", near, isSearching: true))
            let again = try await app.world.search.passes { $0 == "" }
            try await app.sees(app.picker(pickup, "", again))
        },
        Scenario("a search that fails keeps what was found, and fails again") { app in
            let pickup = try await app.comesToMap()
            let near = try await app.opensPicker(pickup)
            for _ in 1...2 {
                try app.wants(.searchDropoffs("Manly"))
                try await app.sees(app.picker(pickup, "Manly", near, isSearching: true))
                let error = try await app.world.search.fails()
                try await app.sees(app.picker(pickup, "Manly", near), error: error)
                try await app.acknowledges(app.picker(pickup, "Manly", near))
            }
            try app.wants(.searchDropoffs("Manly"))
            try await app.sees(app.picker(pickup, "Manly", near, isSearching: true))
            let found = try await app.world.search.passes()
            try await app.sees(app.picker(pickup, "Manly", found))
        },
        Scenario("the picker is closed either way while it searches, and is fresh the next time") { app in
            let pickup = try await app.comesToMap()
            app.world.keepsCancelledCalls()
            for close in [Intention.cancelDropoff, .goBack] {
                try app.wants(.chooseDropoff)
                try await app.sees(app.picker(pickup, isSearching: true))
                try await app.world.search.isAsked()
                try app.wants(close)
                try await app.sees(app.map(pickup))
                try await app.world.search.fails()
            }
            let near = try await app.opensPicker(pickup)
            try app.wants(.searchDropoffs("Manly"))
            try await app.sees(app.picker(pickup, "Manly", near, isSearching: true))
            try await app.world.search.isAsked()
            try app.wants(.cancelDropoff)
            try await app.sees(app.map(pickup))
            try await app.world.search.passes()
            _ = try await app.opensPicker(pickup)
        },
        Scenario("one option is selected, then another") { app in
            let trip = try await app.comesToOptions()
            for index in [0, 1, 0] {
                try app.wants(.selectRideOption(trip.options[index].id))
                try await app.sees(trip.offer(selected: index))
            }
            // The same once more changes nothing, so that the next screen is the next step.
            try app.wants(.selectRideOption(trip.options[0].id))
            try app.wants(.confirmRide)
            try await app.sees(trip.screen(.sendingRideRequest))
        },
        Scenario("another look at the places changes nothing of the options") { app in
            let trip = try await app.comesToOptions()
            for (selected, close) in [(nil, Intention.goBack), (1, .cancelDropoff)] {
                if let selected {
                    try app.wants(.selectRideOption(trip.options[selected].id))
                    try await app.sees(trip.offer(selected: selected))
                }
                try app.wants(.chooseDropoff)
                try await app.sees(trip.screen(.selectDropoffLocation(DropoffPicker(isSearching: true))))
                let near = try await app.world.search.passes()
                try await app.sees(trip.screen(.selectDropoffLocation(DropoffPicker(results: near))))
                try app.wants(close)
                try await app.sees(trip.offer(selected: selected))
            }
            #expect(app.world.rideOptions.asked.count == 1)
        },
        Scenario("for another drop-off, what is said of the former is dropped") { app in
            let pickup = try await app.comesToMap()
            let near = try await app.opensPicker(pickup)
            app.world.keepsCancelledCalls()
            let former = AppUnderTest.Trip(pickup: pickup, dropoff: near[1], options: [])
            try app.wants(.selectDropoff(near[1].name))
            try await app.sees(former.loading)
            try await app.world.rideOptions.isAsked { $0.dropoffLocation == near[1].location }
            try app.wants(.chooseDropoff)
            try await app.sees(former.screen(.selectDropoffLocation(DropoffPicker(isSearching: true))))
            try await app.world.search.passes()
            try await app.sees(former.screen(.selectDropoffLocation(DropoffPicker(results: near))))
            try app.wants(.selectDropoff(near[2].name))
            let other = AppUnderTest.Trip(pickup: pickup, dropoff: near[2], options: [])
            try await app.sees(other.loading)
            try await app.world.rideOptions.isAsked { $0.dropoffLocation == near[2].location }
            try await app.world.rideOptions.passes { $0.dropoffLocation == near[1].location }
            let options = try await app.world.rideOptions.passes()
            let trip = AppUnderTest.Trip(pickup: pickup, dropoff: near[2], options: options)
            try await app.sees(trip.offer(selected: nil))
            try await app.confirms(trip)
            let ride = try await app.world.request.passes()
            try await app.sees(.waitingForPickup(WaitingScreen(ride: ride)))
            #expect(ride.waypoints.dropoffLocation == near[2].location)
        },
        Scenario("options that cannot be had are told of, and another drop-off asks again") { app in
            let pickup = try await app.comesToMap()
            let near = try await app.opensPicker(pickup)
            let trip = AppUnderTest.Trip(pickup: pickup, dropoff: near[1], options: [])
            try app.wants(.selectDropoff(near[1].name))
            try await app.sees(trip.loading)
            let error = try await app.world.rideOptions.fails()
            try await app.sees(trip.offer(selected: nil), error: error)
            try await app.acknowledges(trip.offer(selected: nil))
            try app.wants(.chooseDropoff)
            try await app.sees(trip.screen(.selectDropoffLocation(DropoffPicker(isSearching: true))))
            try await app.world.search.passes()
            try await app.sees(trip.screen(.selectDropoffLocation(DropoffPicker(results: near))))
            try app.wants(.selectDropoff(near[1].name))
            try await app.sees(trip.loading)
            let options = try await app.world.rideOptions.passes()
            try await app.sees(
                AppUnderTest.Trip(pickup: pickup, dropoff: near[1], options: options).offer(selected: nil))
        },
    ]
}
