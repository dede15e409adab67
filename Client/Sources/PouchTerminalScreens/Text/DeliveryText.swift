import PouchEntities
import PouchTerminal

public enum AddressText {
    public static func line(_ shipping: Shipping) -> String {
        "Delivery \(shipping.methodId), to \(line(shipping.address))"
    }

    public static func line(_ address: Address) -> String {
        [
            address.name, address.line1, address.line2,
            [address.postalCode, address.city].filter { !$0.isEmpty }.joined(separator: " "), address.region,
            address.country,
        ].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

public enum DeliveryText {
    public static func sentence(_ reason: DeliveryFailure.Reason) -> String {
        switch reason {
        case .noKangaroo: "No kangaroo was available to pick it up."
        case .unrecognised: "It could not be delivered with this method."
        }
    }

    /// The progress of the ride that delivers an order; nil if the order's status shows it.
    static func line(_ ride: Ride) -> StyledText? {
        switch ride.status {
        case .requested, .cancelledByDriver: StyledText("Looking for a kangaroo.", .yellow)
        case .accepted, .arriving: line(ride, "is coming to pick it up")
        case .inProgress: line(ride, "is on the way to you")
        case .completed, .cancelledByRider, .noDriversAvailable, .unrecognised: nil
        }
    }

    private static func line(_ ride: Ride, _ activity: String) -> StyledText {
        let minutes = ride.etaMinutes.map { StyledText("  \($0) min", .bold) } ?? ""
        return StyledText("\(ride.driver?.name ?? "A kangaroo") \(activity)", .green) + minutes
    }
}
