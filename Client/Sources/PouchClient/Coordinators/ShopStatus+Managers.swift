import PouchEntities
import PouchManagers
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
