import PouchEntities
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
    init(_ cart: Cart?) {
        self.init(unitCount: cart?.unitCount)
    }
}
