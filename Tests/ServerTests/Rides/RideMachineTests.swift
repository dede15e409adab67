import Foundation
import PouchEntities
import Testing

@testable import PouchDomain
@testable import PouchRides

@Suite("Ride machine")
struct RideMachineTests {
    private static let allowed: Set<[RideStatus]> = [
        [.requested, .accepted], [.requested, .cancelledByRider], [.requested, .noDriversAvailable],
        [.accepted, .arriving], [.accepted, .cancelledByRider], [.accepted, .cancelledByDriver],
        [.arriving, .inProgress], [.arriving, .cancelledByRider],
        [.inProgress, .completed], [.cancelledByDriver, .requested],
    ]

    private func ride(in status: RideStatus) -> RideRecord {
        RideRecord(
            id: "rid_1", passenger: .rider(id: "acc_1"), species: .wallaby, waypoints: .sample,
            fare: Money(1_000, .eur), distanceMetres: 5_000, createdAt: .distantPast,
            history: [Ride.Event(status: status, at: .distantPast)], engagement: nil, refusals: [], dueAt: nil,
            version: 1)
    }

    @Test func `A ride goes from the request to the drop-off, and ends by rider or kangaroo before the pick-up alone`()
    {
        for from in RideStatus.allCases {
            for to in RideStatus.allCases {
                #expect(RideMachine.allows(from, to: to) == Self.allowed.contains([from, to]), "\(from) to \(to)")
            }
        }
    }

    @Test(arguments: RideStatus.allCases)
    func `A ride makes no other step, and is unchanged by the attempt`(from: RideStatus) throws {
        for to in RideStatus.allCases {
            var ride = ride(in: from)
            let before = ride
            if Self.allowed.contains([from, to]) {
                try ride.enter(to, at: .now)
                #expect(ride.status == to && ride.history.count == 2)
            } else {
                #expect(throws: IllegalRideTransition(from: from, to: to)) { try ride.enter(to, at: .now) }
                #expect(ride == before)
            }
        }
    }

    @Test func `What is told of a status fits what may follow it`() {
        for status in RideStatus.allCases where status != .unrecognised {
            let mayFollow = RideMachine.transitions[status] ?? []
            #expect(status.isCancellable == mayFollow.contains(.cancelledByRider))
            if mayFollow.isEmpty { #expect(status.isFinal) }
            #expect(status.isFinal == (mayFollow.isEmpty || status == .cancelledByDriver))
        }
    }

    @Test func `A history never goes back in time, though clocks of servers differ`() throws {
        var ride = ride(in: .requested)
        let time = Date(timeIntervalSince1970: 1_000)
        try ride.enter(.accepted, at: time)
        try ride.enter(.arriving, at: time.addingTimeInterval(-5))
        #expect(ride.history.map(\.at) == [.distantPast, time, time])
    }
}
