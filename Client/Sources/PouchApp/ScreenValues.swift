import PouchClient
import PouchScreens

extension Visitor {
    init(_ session: UserSession?) {
        self =
            switch (session, session?.profile) {
            case (nil, _): .nobody
            case (_, let profile?): .customer(profile)
            default: .guest
            }
    }

    /// Whether it is the same person as before. Nobody becomes a guest by what they do here.
    func isSame(as earlier: Visitor) -> Bool {
        switch (earlier, self) {
        case (.nobody, .guest): true
        case (.customer(let before), .customer(let now)): before.id == now.id
        default: self == earlier
        }
    }
}

extension CartBadge {
    init(_ state: CartState?) {
        self.init(unitCount: state?.cart.unitCount, pendingChanges: state?.pendingCount ?? 0)
    }
}

extension Connectivity {
    init(_ connection: Connection) {
        self =
            switch connection {
            case .online: .online
            case .offline: .offline
            }
    }
}
