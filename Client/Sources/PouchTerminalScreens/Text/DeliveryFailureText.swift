import PouchEntities

/// How a delivery that failed is shown.
public enum DeliveryFailureText {
    public static func sentence(_ reason: DeliveryFailure.Reason) -> String {
        switch reason {
        case .noKangaroo: "No kangaroo came to fetch it."
        case .unrecognised: "It could not be delivered in this way."
        }
    }
}
