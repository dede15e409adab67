import Foundation
import PouchEntities

/// Somebody whose token is their owner's name, which is what `StubShop` goes by.
enum Shopper {
    case guest
    case ada
    case bea

    var owner: String {
        switch self {
        case .guest: "ses_guest"
        case .ada: "acc_ada"
        case .bea: "acc_bea"
        }
    }

    /// It outlives every test, whatever the time of day is there.
    var session: UserSession {
        let forever: TimeInterval = 2_000_000_000
        return switch self {
        case .guest: Fixture.session(owner, expiresIn: forever, id: owner, account: nil)
        case .ada, .bea: Fixture.session(owner, expiresIn: forever, id: "ses_of_" + owner, account: owner)
        }
    }
}
